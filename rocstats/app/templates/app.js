// What pages have beyond their forms: a file dropped anywhere, buttons that copy, and an answer
// that comes by itself.
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

async function showWhenReady() {
  const page = await (await fetch(location.href)).text();
  if (page.includes("<main data-pending>")) setTimeout(showWhenReady, 700);
  else location.reload();
}
if (document.querySelector("main[data-pending]")) setTimeout(showWhenReady, 500);
