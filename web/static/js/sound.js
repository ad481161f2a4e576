// What is said aloud, for those who switched it on: accusations, blindness, and the count of a turn that nobody begins. Off
// until then, on every visit's first; the choice is this browser's own.

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
      // a browser that keeps nothing: off, as ever
    }
    box.addEventListener("change", () => {
      try {
        localStorage.setItem(KEPT, box.checked ? "on" : "off");
      } catch {
        // as above
      }
    });
  }

  say(name) {
    if (!this.box.checked) return;
    this.now?.pause();
    this.now = new Audio(new URL(`../sound/${document.documentElement.lang}/${name}.wav`, import.meta.url));
    this.now.play().catch(() => {}); // a browser that was never touched plays nothing
  }

  verdict(kind) {
    if (LOUD.includes(kind)) this.say(kind);
  }

  /** The table counts: "omu", then "omu, ebiri". */
  count(why) {
    const word = /^omu(, ebiri)?$/.test(why ?? "") ? why.split(", ").pop() : "";
    if (word && word !== this.counted) this.say(word);
    this.counted = word;
  }
}
