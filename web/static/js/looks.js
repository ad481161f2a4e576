// Colours and text size: kept on this device, and set before anything is drawn.

(() => {
  const root = document.documentElement;
  const CHOICES = { theme: ["light", "dark"], size: ["large", "larger"] };
  const kept = (name) => {
    try {
      return localStorage.getItem(`inkeek-${name}`) ?? "";
    } catch {
      return ""; // the browser stores nothing
    }
  };
  const keep = (name, value) => {
    try {
      localStorage.setItem(`inkeek-${name}`, value);
    } catch {
      // the choice lasts for this page only
    }
  };
  const show = (name, value) => {
    if (CHOICES[name].includes(value)) root.dataset[name] = value;
    else delete root.dataset[name];
  };
  for (const name of Object.keys(CHOICES)) show(name, kept(name));
  addEventListener("storage", () => Object.keys(CHOICES).forEach((name) => show(name, kept(name))));
  addEventListener("DOMContentLoaded", () => {
    for (const name of Object.keys(CHOICES)) {
      const select = document.getElementById(`looks-${name}`);
      if (!select) continue;
      select.value = root.dataset[name] ?? "";
      select.addEventListener("change", () => {
        keep(name, select.value);
        show(name, select.value);
      });
    }
  });
})();
