// The model files of the explorer as one scope, as the page joins them, without a browser.

import { readFileSync } from "node:fs";

const EXPLORER = new URL("../../../rocstats/explorer/", import.meta.url);
const read = (name) => readFileSync(new URL(name, EXPLORER), "utf-8");

const sources = read("html.py")
  .match(/model\/\w+\.js/g)
  .map(read)
  .join("\n");
const names = [...sources.matchAll(/^(?:function|const) (\w+)/gm)].map((found) => found[1]);
const scope = `"use strict";\n${sources}\nreturn { ${[...new Set(names)].join(", ")} };`;

/** Every function and constant of the model files, by name. */
export const model = new Function(scope)();

/** The texts of the page. */
export const texts = JSON.parse(read("texts.json"));
