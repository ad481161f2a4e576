// Prints the score sheet.

document.getElementById("print").addEventListener("click", () => window.print());
