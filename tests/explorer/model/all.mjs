// All tests of the model files in one process: `node tests/explorer/model/all.mjs`.

import "./numbers.mjs";
import "./counts.mjs";
import "./limits.mjs";
import "./state.mjs";
import "./words.mjs";
