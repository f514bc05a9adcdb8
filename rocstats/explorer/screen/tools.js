// Copy the address, print, download the numbers.

function toolButton(part, text, act) {
  const button = element("button", { type: "button", "data-part": part }, text);
  button.addEventListener("click", act);
  return button;
}

// A page opened from a file may have no clipboard: then a selected field is copied.
function copyText(text) {
  const byField = () => {
    const field = element("textarea", { class: "unseen", readonly: true }, text);
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  };
  if (!navigator.clipboard) return Promise.resolve(byField());
  return navigator.clipboard.writeText(text).then(() => true, byField);
}

function download(name, text) {
  // The mark of byte order: without it spreadsheets take UTF-8 for something else.
  const address = URL.createObjectURL(new Blob(["\uFEFF" + text], { type: "text/csv" }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function tools(say, current, speak, reset) {
  const copy = toolButton("copy", say("control_copy", {}), () => {
    const address = location.href.replace(/#.*$/, "") + current().address;
    copyText(address).then((copied) => {
      const text = say(copied ? "control_copied" : "control_copy_failed", {});
      copy.replaceChildren(text);
      speak(text);
      setTimeout(() => copy.replaceChildren(say("control_copy", {})), 2000);
    });
  });
  return element(
    "div",
    { class: "tools" },
    toolButton("reset", say("control_reset", {}), reset),
    copy,
    toolButton("print", say("control_print", {}), () => window.print()),
    toolButton("csv", say("control_csv", {}), () =>
      download("rocstats-view.csv", csvOf(current())),
    ),
  );
}
