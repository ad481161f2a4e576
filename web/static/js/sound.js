// Speaks for those who switched it on: accusations, blindness, and the count for a turn that nobody begins. Off
// at first; the choice is kept in this browser.

const KEPT = "inkeek-sound";
const LOUD = ["illegal", "not-sure", "tampered", "withdrawn"];

export class Sound {
  /** box: the switch. */
  constructor(box) {
    this.box = box;
    this.counted = "";
    try {
      box.checked = localStorage.getItem(KEPT) === "on";
    } catch {
      // the browser stores nothing: stay off
    }
    box.addEventListener("change", () => {
      try {
        localStorage.setItem(KEPT, box.checked ? "on" : "off");
      } catch {
        // the browser stores nothing
      }
    });
  }

  say(name) {
    if (!this.box.checked) return;
    this.now?.pause();
    this.now = new Audio(new URL(`../sound/${document.documentElement.lang}/${name}.wav`, import.meta.url));
    this.now.play().catch(() => {}); // browsers play nothing before the first tap
  }

  verdict(kind) {
    if (LOUD.includes(kind)) this.say(kind);
  }

  /** Speaks the table's count: "omu", then "omu, ebiri". */
  count(why) {
    const word = /^omu(, ebiri)?$/.test(why ?? "") ? why.split(", ").pop() : "";
    if (word && word !== this.counted) this.say(word);
    this.counted = word;
  }
}
