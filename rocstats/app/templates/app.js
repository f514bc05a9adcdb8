// What pages have beyond their forms: a file that is dropped anywhere, and buttons that copy.
"use strict";

const chooser = document.getElementById("file");
if (chooser) {
  const area = chooser.closest("form");
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      area.classList.toggle("over", name === "dragover");
    });
  }
  document.addEventListener("drop", (event) => {
    if (event.dataTransfer.files.length) {
      chooser.files = event.dataTransfer.files;
      area.submit();
    }
  });
}

for (const lines of document.querySelectorAll("pre.copied")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "second";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(lines.textContent);
    button.textContent = "Copied";
  });
  lines.after(button);
}
