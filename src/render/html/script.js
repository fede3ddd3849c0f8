
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");

  /** Makes an address the page's. Pages inside others may not be allowed to. */
  function setAddress(address) {
    try {
      history.replaceState(null, "", address);
    } catch {
      // The selection is shown all the same.
    }
  }

  /** One message: rows of its tree and runs of its grids, by the number of their node. */
  class Message {
    constructor(article) {
      this.prefix = article.dataset.prefix || "";
      this.table = article.querySelector("table.tree");
      this.bytes = article.querySelector(".bytes");
      this.rows = this.table ? [...this.table.tBodies[0].rows] : [];
      this.runs = new Map();
      for (const run of article.querySelectorAll("[data-n]")) {
        const n = Number(run.dataset.n);
        if (!this.runs.has(n)) this.runs.set(n, []);
        this.runs.get(n).push(run);
      }
      this.folded = new Set();
      this.chosen = null;
      this.hovered = [];
      this.lit = [];
      if (this.table) this.prepare();
      article.addEventListener("pointerover", (event) => this.hover(this.find(event.target)));
      article.addEventListener("pointerleave", () => this.hover(null));
      article.addEventListener("click", (event) => this.click(event));
      article.addEventListener("keydown", (event) => this.key(event));
      article.addEventListener("dragstart", (event) => {
        if (event.target.closest && event.target.closest("pre")) event.preventDefault();
      });
    }

    prepare() {
      this.table.setAttribute("role", "treegrid");
      this.rows.forEach((row, n) => {
        row.setAttribute("role", "row");
        row.setAttribute("aria-level", String(1 + this.depth(n)));
        row.tabIndex = n === 0 ? 0 : -1;
        for (const cell of row.cells) {
          cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "gridcell");
        }
        if (this.end(n) > n + 1) {
          row.setAttribute("aria-expanded", "true");
          const fold = document.createElement("span");
          fold.className = "fold";
          fold.setAttribute("aria-hidden", "true");
          row.cells[0].prepend(fold);
        }
      });
    }

    depth(n) {
      const name = [...this.rows[n].classList].find((name) => /^d\d+$/.test(name));
      return name ? Number(name.slice(1)) : 0;
    }

    /** The number behind the last node below one. */
    end(n) {
      const row = this.rows[n];
      return Number((row && row.dataset.end) || n + 1);
    }

    /** The node that an element is about. */
    find(element) {
      if (!element.closest) return null;
      const run = element.closest("[data-n]");
      if (run) return Number(run.dataset.n);
      const row = element.closest("table.tree > tbody > tr");
      return row ? this.number(row) : null;
    }

    number(row) {
      return Number(row.id.slice(this.prefix.length + 1));
    }

    /** All that shows a node or a node below it. */
    parts(n) {
      const parts = this.rows[n] ? [this.rows[n]] : [];
      for (let node = n; node < this.end(n); node++) {
        if (this.runs.has(node)) parts.push(...this.runs.get(node));
      }
      return parts;
    }

    hover(n) {
      for (const part of this.hovered) part.classList.remove("hover");
      this.hovered = n === null ? [] : this.parts(n);
      for (const part of this.hovered) part.classList.add("hover");
    }

    click(event) {
      const target = event.target;
      const fold = target.closest(".fold");
      if (fold) {
        this.fold(this.find(fold));
        return;
      }
      const link = target.closest("a");
      const isOwn = link && (link.matches(".b") || link.closest("td.range"));
      if (link && !isOwn) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const n = this.find(target);
      if (n === null || String(getSelection())) return;
      if (isOwn) event.preventDefault();
      const from = link && link.matches(".b") ? "grid" : "tree";
      this.choose(n, from);
      if (isOwn && from === "tree") this.showBytes("center");
    }

    /**
     * Makes a node the chosen one, and shows it where it was not chosen. Bytes that stand above the
     * tree stay where they are: nobody wants to lose the place that they look at.
     */
    choose(n, from) {
      if (chosen && chosen !== this) chosen.clear();
      this.clear();
      chosen = this;
      this.chosen = n;
      this.lit = this.parts(n);
      for (const part of this.lit) part.classList.add("chosen");
      const row = this.rows[n];
      if (row) {
        const details = row.closest("details");
        if (details) details.open = true;
        this.reveal(n);
        for (const other of this.rows) if (other.tabIndex === 0) other.tabIndex = -1;
        row.tabIndex = 0;
        row.setAttribute("aria-selected", "true");
        if (from === "address") row.scrollIntoView({ block: "center" });
        else if (from === "keys" || this.isBeside()) row.scrollIntoView({ block: "nearest" });
        setAddress("#" + row.id);
      }
      if (from !== "grid" && this.isBeside()) this.showBytes("nearest");
      status.show(this, n);
    }

    /** Whether the bytes are beside the tree, and stay there. */
    isBeside() {
      return this.bytes !== null && getComputedStyle(this.bytes).position === "sticky";
    }

    /** Moves the bytes of the chosen node into view: in their pane, or with the page. */
    showBytes(block) {
      const run = this.lit.find((part) => part.matches(".b"));
      if (!run) return;
      if (!this.isBeside()) {
        run.scrollIntoView({ block });
        return;
      }
      const pane = this.bytes.getBoundingClientRect();
      const place = run.getBoundingClientRect();
      if (place.top < pane.top || place.bottom > pane.bottom) {
        this.bytes.scrollTop += place.top - pane.top - pane.height / 3;
      }
    }

    clear() {
      for (const part of this.lit) part.classList.remove("chosen");
      const row = this.chosen === null ? null : this.rows[this.chosen];
      if (row) row.removeAttribute("aria-selected");
      this.lit = [];
      this.chosen = null;
    }

    /** Closes or opens a compound. */
    fold(n) {
      if (n === null || this.end(n) <= n + 1) return;
      if (!this.folded.delete(n)) this.folded.add(n);
      this.rows[n].setAttribute("aria-expanded", String(!this.folded.has(n)));
      let node = n + 1;
      while (node < Math.min(this.end(n), this.rows.length)) {
        this.rows[node].hidden = this.folded.has(n);
        const skips = !this.folded.has(n) && this.folded.has(node);
        node = skips ? this.end(node) : node + 1;
      }
    }

    parent(n) {
      for (let node = n - 1; node >= 0; node--) if (this.end(node) > n) return node;
      return null;
    }

    /** Opens what is closed around a node. */
    reveal(n) {
      for (let node = this.parent(n); node !== null; node = this.parent(node)) {
        if (this.folded.has(node)) this.fold(node);
      }
    }

    path(n) {
      const names = [];
      for (let node = n; node !== null; node = this.parent(node)) {
        names.unshift(this.text(node, ".name"));
      }
      return names.slice(names.length > 1 ? 1 : 0).join(" \u203a ");
    }

    text(n, part) {
      const cell = this.rows[n] && this.rows[n].querySelector(part);
      return cell ? cell.textContent : "";
    }

    /** The digits of a node's bytes. */
    hex(n) {
      const runs = this.parts(n).filter((part) => part.matches(".b"));
      const pre = runs.length ? runs[0].closest("pre") : null;
      return runs.filter((run) => run.closest("pre") === pre).map((run) => run.textContent).join(" ");
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.table) return;
      const row = event.target.closest("table.tree > tbody > tr");
      const isGrid = event.target.closest("pre.grid");
      if (!row && !isGrid) return;
      if (event.target.closest("a, button")) return;
      const n = row ? this.number(row) : this.chosen === null ? 0 : this.chosen;
      const next = this.move(event.key, n, Boolean(isGrid));
      if (next === undefined) return;
      event.preventDefault();
      if (next === null) return;
      this.choose(next, isGrid ? "grid" : "keys");
      if (row) this.rows[next].focus({ preventScroll: true });
    }

    /** Where a key leads to: a node, `null` for nowhere, `undefined` for a key without meaning. */
    move(key, n, isGrid) {
      const shown = (node) => node < this.rows.length && !this.rows[node].hidden;
      const step = (from, by) => {
        let node = from + by;
        while (node >= 0 && node < this.rows.length && !shown(node)) node += by;
        return node >= 0 && node < this.rows.length ? node : null;
      };
      const leaf = (from, by) => {
        let node = from + by;
        while (node >= 0 && node < this.rows.length && !this.runs.has(node)) node += by;
        return node >= 0 && node < this.rows.length ? node : null;
      };
      const isCompound = this.end(n) > n + 1;
      switch (key) {
        case "ArrowDown": return isGrid ? undefined : step(n, 1);
        case "ArrowUp": return isGrid ? undefined : step(n, -1);
        case "ArrowRight":
          if (isGrid) return leaf(n, 1);
          if (isCompound && this.folded.has(n)) { this.fold(n); return null; }
          return isCompound ? step(n, 1) : null;
        case "ArrowLeft":
          if (isGrid) return leaf(n, -1);
          if (isCompound && !this.folded.has(n)) { this.fold(n); return null; }
          return this.parent(n);
        case "Home": return isGrid ? undefined : 0;
        case "End": return isGrid ? undefined : step(this.rows.length, -1);
        case "Enter": return n;
        default: return undefined;
      }
    }
  }

  /** The line at the bottom that says what is chosen. */
  class Status {
    constructor() {
      this.bar = document.createElement("div");
      this.bar.className = "status";
      this.bar.hidden = true;
      this.line = this.span("");
      this.line.setAttribute("role", "status");
      this.path = this.span("path", this.line);
      this.range = this.span("soft", this.line);
      this.value = this.span("", this.line);
      const keys = this.span("keys");
      this.copies = [
        ["Copy hex", () => this.message.hex(this.n)],
        ["Copy value", () => this.message.text(this.n, ".value")],
        ["Copy path", () => this.message.path(this.n)],
        ["Copy link", () => location.href],
      ].map(([name, text]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.addEventListener("click", () => copy(text(), button, name));
        keys.append(button);
        return button;
      });
      document.body.append(this.bar);
    }

    span(name, within) {
      const span = document.createElement("span");
      span.className = name;
      (within || this.bar).append(span, " ");
      return span;
    }

    show(message, n) {
      this.message = message;
      this.n = n;
      this.bar.hidden = false;
      this.path.textContent = message.path(n);
      this.range.textContent = message.text(n, ".type") + " " + message.text(n, ".range");
      const value = message.text(n, ".value");
      this.value.textContent = value.length > 160 ? value.slice(0, 160) + "\u2026" : value;
    }

    hide() {
      this.bar.hidden = true;
    }
  }

  async function copy(text, button, name) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Pages opened from a disk may not be trusted with the clipboard.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      button.textContent = document.execCommand("copy") ? "Copied" : "Not allowed";
      area.remove();
    }
    setTimeout(() => { button.textContent = name; }, 1200);
  }

  let chosen = null;
  const status = new Status();
  const messages = [...document.querySelectorAll(".message")].map((article) => new Message(article));

  /** Chooses the node that the address names. */
  function follow() {
    const match = /^#(.*?)([nb])(\d+)$/.exec(location.hash);
    if (!match) return;
    const message = messages.find((message) => message.prefix === match[1]);
    if (message && message.rows[Number(match[3])]) {
      message.choose(Number(match[3]), "address");
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !chosen) return;
    chosen.clear();
    chosen = null;
    status.hide();
    setAddress(location.pathname + location.search);
  });
  addEventListener("hashchange", follow);
  follow();
})();
