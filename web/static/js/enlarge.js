// The live picture in full-screen size: a tap opens it, a tap or Escape closes it.

import { h } from "./dom.js";
import { t } from "./words.js";

/** picture: to enlarge; button: opens it. */
export function enlarging(picture, button) {
  const home = picture.parentElement;
  const close = h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, t("camera.small"));
  const hold = h("div", { class: "hold" });
  const dialog = h("dialog", { class: "large", "aria-label": t("camera.title"), onclick: (event) => event.target !== close && dialog.close(),
    onclose: () => home.prepend(picture) }, hold, close);
  button.after(dialog);
  button.addEventListener("click", () => {
    hold.append(picture);
    dialog.showModal();
  });
}
