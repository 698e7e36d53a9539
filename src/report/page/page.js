// Controls of the page: sort and filter tables, save figures, copy commands.
// They are created here, so that without JavaScript no control is shown that would not work.
(() => {
  "use strict";

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const button = (label, act) => {
    const element = make("button", { type: "button", textContent: label });
    element.addEventListener("click", act);
    return element;
  };
  const written = (number) => number.toLocaleString("en-GB");

  // Sort keys: null is a missing value and comes last in either direction.

  const NOTHING = /^\s*[-–—−]?\s*$/;
  const FIRST_NUMBER = /[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?/i;

  // "0.8882 to 0.8906" is 0.8882, "1 of 100" is 1, "<0.001" is 0.001.
  function numberKey(text) {
    const found = text.match(FIRST_NUMBER);
    return found && Number(found[0].replace("−", "-").replaceAll(",", ""));
  }

  // Words, with the numbers in them by size: "ridge=2" comes before "ridge=10".
  function wordKey(text) {
    if (NOTHING.test(text)) return null;
    const parts = text.toLowerCase().split(/(\d+(?:\.\d+)?)/);
    return parts.map((part, index) => (index % 2 ? Number(part) : part));
  }

  const compareNumbers = (a, b) => a - b;

  function compareWords(a, b) {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i++) {
      if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return a.length - b.length;
  }

  function sorted(rows, column, isWord, direction) {
    const [key, compare] = isWord ? [wordKey, compareWords] : [numberKey, compareNumbers];
    const keyed = rows.map((row) => ({ row, key: key(row.cells[column].textContent) }));
    const present = keyed.filter((entry) => entry.key !== null);
    const missing = keyed.filter((entry) => entry.key === null);
    const sign = direction === "ascending" ? 1 : -1;
    present.sort((a, b) => sign * compare(a.key, b.key)); // stable: equals keep the order of the report
    return [...present, ...missing].map((entry) => entry.row);
  }

  function addControls(section) {
    const title = section.querySelector("h2").textContent;
    const region = section.querySelector(".scroll");
    const table = region.querySelector("table");
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...body.rows];
    const step = Number(table.dataset.shown);

    let order = rows;
    let words = [];
    let limit = step;

    // Reading the texts of thousands of rows takes a moment, so it is done once, when the filter gets the focus.
    const known = new Map();
    const textOf = (row) => {
      if (!known.has(row)) known.set(row, Array.from(row.cells, (cell) => cell.textContent).join("\n").toLowerCase());
      return known.get(row);
    };
    const matches = (row) => words.every((word) => textOf(row).includes(word));

    const filter = make("input", { type: "search", placeholder: "words in a row", autocomplete: "off", spellcheck: false });
    filter.setAttribute("aria-label", `Filter the rows of ${title}`);
    const count = make("span");
    count.setAttribute("role", "status");
    count.setAttribute("aria-live", "polite");
    const more = button("", () => show(limit + step));
    const all = button("", () => show(Infinity));
    const moreControls = make("div", { className: "controls" }, more, all);

    // The table contains only the rows that are shown: the layout of thousands takes a second for each letter typed.
    function update(wanted) {
      limit = wanted;
      const matching = words.length ? order.filter(matches) : order;
      const shown = matching.slice(0, limit);
      for (const row of shown) row.hidden = false;
      body.replaceChildren(...shown);
      report(matching.length, shown.length);
    }

    function report(matching, shown) {
      const left = matching - shown;
      const total = `${written(rows.length)} ${rows.length === 1 ? "row" : "rows"}`;
      count.textContent = (words.length ? `${written(matching)} of ${total}` : total)
        + (left ? `, the first ${written(shown)} shown` : "");
      more.textContent = `Show ${written(Math.min(step, left))} more`;
      all.textContent = `Show all ${written(matching)}`;
      moreControls.hidden = left === 0;
    }

    function show(wanted) {
      update(wanted);
      if (moreControls.hidden) region.focus({ preventScroll: true }); // its button is hidden now
    }

    function sortBy(column) {
      const head = heads[column];
      const isWord = head.classList.contains("word");
      const turns = isWord ? ["ascending", "descending"] : ["descending", "ascending"];
      const direction = turns[turns.indexOf(head.getAttribute("aria-sort")) + 1];
      for (const other of heads) other.removeAttribute("aria-sort");
      if (direction) head.setAttribute("aria-sort", direction);
      order = direction ? sorted(rows, column, isWord, direction) : rows;
      update(step);
    }

    heads.forEach((head, column) => {
      const label = head.textContent;
      head.replaceChildren(button(label, () => sortBy(column)));
    });
    filter.addEventListener("focus", () => rows.forEach(textOf), { once: true });
    filter.addEventListener("input", () => {
      words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      update(step);
    });
    region.before(make("div", { className: "controls" }, make("label", {}, "Filter", filter), count));
    region.after(moreControls);
    report(rows.length, Math.min(rows.length, step)); // as they are in page.html
  }

  function addSaveButton(figure) {
    const save = button("Save as SVG", () => {
      const text = new XMLSerializer().serializeToString(figure.querySelector("svg")); // adds xmlns where it is missing
      const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
      make("a", { href: address, download: `${figure.dataset.name}.svg` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    });
    save.setAttribute("aria-label", `Save as SVG: ${figure.dataset.name}`);
    figure.append(save);
  }

  function addCopyButton(command) {
    const copy = button("Copy", async () => {
      try {
        await navigator.clipboard.writeText(command.querySelector("pre").textContent);
        copy.textContent = "Copied";
      } catch {
        copy.textContent = "Could not copy";
      }
      setTimeout(() => { copy.textContent = "Copy"; }, 2_000);
    });
    copy.setAttribute("aria-live", "polite");
    command.append(copy);
  }

  document.querySelectorAll("section.results").forEach(addControls);
  document.querySelectorAll("figure").forEach(addSaveButton);
  if (navigator.clipboard) document.querySelectorAll(".command").forEach(addCopyButton);

  // Details cannot be opened on paper.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
})();
