// Words of the page: templates of texts.json with their {names} filled.

/** Fill a template; a name without a value is a mistake of ours, so that it fails loudly. */
function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in values)) throw new Error("no value for {" + name + "} in: " + template);
    return values[name];
  });
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return `say(key, values)`: a sentence in the words of the study (case, cases, condition ...). */
function speaker(payload) {
  const words = { ...payload.words, level: levelText(payload.level) };
  // "women with cancer" starts a sentence with a capital; the name of a test is left as it is.
  const starts = /^\{(case|cases|condition|action)\}/;
  return (key, values) => {
    const template = payload.texts[key];
    const text = fill(template, { ...words, ...values });
    return starts.test(template) ? capital(text) : text;
  };
}

/** A label cut to a length, on one line. */
function inBrief(label, length) {
  const plain = label.replace(/\s+/g, " ");
  return plain.length > length ? plain.slice(0, length - 1).trimEnd() + "…" : plain;
}
