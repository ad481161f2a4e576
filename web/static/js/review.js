// Keyboard control of the fouls page: j and k go to the next and previous foul, a accepts the move, t takes it back.

const fouls = () => [...document.querySelectorAll(".review > li")];
const here = () => fouls().indexOf(document.activeElement?.closest(".review > li"));
const from = () => (here() >= 0 ? here() : fouls().findIndex((foul) => foul.matches(":target"))); // the one just ruled on

function go(to) {
  const all = fouls();
  const foul = all[Math.min(all.length - 1, Math.max(0, to))];
  foul?.querySelector(".reviewed-name").focus();
  foul?.scrollIntoView({ block: "nearest" });
}

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  if (event.key === "j") go(from() + 1);
  else if (event.key === "k") go(from() - 1);
  else if (here() >= 0) fouls()[here()].querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});
