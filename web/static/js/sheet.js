// The score sheet goes to paper.

document.getElementById("print").addEventListener("click", () => window.print());
