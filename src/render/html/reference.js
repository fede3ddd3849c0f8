
"use strict";
(() => {
  /** Items of a list that can be filtered: each with the words that it is found by. */
  class Filter {
    constructor(place, items) {
      this.items = items.map((item) => ({
        item,
        words: item.dataset.q.split(" "),
        text: item.dataset.q,
        shown: item.textContent.toLowerCase(),
        why: item.querySelector(".why"),
      }));
      this.groups = [...document.querySelectorAll("[data-group]")];
      this.box = document.createElement("input");
      this.box.type = "search";
      this.box.placeholder = place.dataset.hint;
      this.box.setAttribute("aria-label", place.dataset.hint);
      this.box.autocomplete = "off";
      this.box.spellcheck = false;
      this.count = document.createElement("output");
      place.append(this.box, " ", this.count);
      place.hidden = false;
      this.box.addEventListener("input", () => this.apply());
      this.box.addEventListener("keydown", (event) => this.key(event));
      this.read();
      addEventListener("hashchange", () => this.read());
    }

    /** Takes the query from an address that has one. */
    read() {
      const match = /^#q=(.*)$/.exec(location.hash);
      if (match) {
        try {
          this.box.value = decodeURIComponent(match[1]);
        } catch {
          this.box.value = match[1];
        }
      }
      if (match || location.hash === "#search") this.box.focus();
      this.show();
    }

    apply() {
      const query = this.box.value.trim();
      try {
        const bare = location.pathname + location.search;
        history.replaceState(null, "", query ? "#q=" + encodeURIComponent(query) : bare);
      } catch {
        // The list is filtered all the same.
      }
      this.show();
    }

    show() {
      const terms = this.box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      for (const entry of this.items) {
        const fits = terms.every((term) => this.fits(entry, term));
        entry.item.hidden = !fits;
        if (fits) left++;
        if (entry.why) entry.why.textContent = fits ? this.reason(entry, terms) : "";
      }
      for (const group of this.groups) group.hidden = !group.querySelector("[data-q]:not([hidden])");
      this.count.textContent = terms.length ? left + " of " + this.items.length : "";
    }

    /** A number is a key, a code or a KIP; any other word can be a part of one. */
    fits(entry, term) {
      if (/^-?\d+$/.test(term)) {
        return entry.item.dataset.key === term || entry.words.includes("kip-" + term);
      }
      return entry.text.includes(term);
    }

    /** What was found that the item does not show. */
    reason(entry, terms) {
      const hidden = terms.filter((term) => !entry.shown.includes(term));
      const words = entry.words.filter((word) => hidden.some((term) => word.includes(term)));
      const named = words.slice(0, 3).map((word) => word.toUpperCase()).join(", ");
      return words.length > 3 ? named + " \u2026" : named;
    }

    key(event) {
      if (event.key === "Escape") {
        this.box.value = "";
        this.apply();
      } else if (event.key === "Enter") {
        const first = this.items.find(({ item }) => !item.hidden);
        const link = first && first.item.querySelector("a");
        if (link) location.href = link.href;
      } else {
        return;
      }
      event.preventDefault();
    }
  }

  const place = document.getElementById("search");
  const items = [...document.querySelectorAll("[data-q]")];
  const filter = place && items.length ? new Filter(place, items) : null;

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest && event.target.closest("input, textarea, [contenteditable]")) return;
    event.preventDefault();
    if (filter) filter.box.select();
    else location.href = "index.html#search";
  });
})();
