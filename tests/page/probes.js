// What check.py asks of a page, from inside it. Nothing here changes the page.
(() => {
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const visible = (element) => element.checkVisibility({ visibilityProperty: true });
  const named = (element) => `<${element.localName}> "${element.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}"`;

  const texts = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());

  // Elements that have text of their own, outside drawings and, if asked, outside what scrolls by itself.
  function withText({ intoScrollers }) {
    const found = [];
    (function visit(element) {
      if (element.localName === "svg" || !visible(element)) return;
      if (!intoScrollers && element !== document.body && scrolls(element)) return;
      if (texts(element).length) found.push(element);
      for (const child of element.children) visit(child);
    })(document.body);
    return found;
  }

  function stickingOut() {
    const width = document.documentElement.clientWidth;
    const range = document.createRange();
    const out = (box) => box.width > 0 && (box.left < -1 || box.right > width + 1);
    return withText({ intoScrollers: false }).filter((element) => texts(element).some((node) => {
      range.selectNode(node);
      return [...range.getClientRects()].some(out);
    })).map(named);
  }

  function headsWithoutText() {
    const range = document.createRange();
    return [...document.querySelectorAll("thead th")].filter((head) => {
      range.selectNodeContents(head);
      return head.textContent.trim() && range.getBoundingClientRect().width === 0;
    }).map(named);
  }

  // Boxes of SVG texts on the screen, with their rotation. Above and below the letters a box has air, which may overlap.
  const AIR = 0.15;
  function corners(text) {
    const { x, y, width, height } = text.getBBox();
    const matrix = text.getScreenCTM();
    const [top, bottom] = [y + AIR * height, y + (1 - AIR) * height];
    return [[x, top], [x + width, top], [x + width, bottom], [x, bottom]]
      .map(([u, v]) => new DOMPoint(u, v).matrixTransform(matrix));
  }

  // How deep two rectangles overlap, by the axis that parts them best (separating axis theorem); not above 0 if apart.
  function depth(one, other) {
    const axes = [one, other].flatMap((box) => [[box[0], box[1]], [box[0], box[3]]].map(([from, to]) => {
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const length = Math.hypot(dx, dy) || 1;
      return [dx / length, dy / length];
    }));
    return Math.min(...axes.map(([dx, dy]) => {
      const [a, b] = [one, other].map((box) => box.map((point) => point.x * dx + point.y * dy));
      return Math.min(Math.max(...a), Math.max(...b)) - Math.max(Math.min(...a), Math.min(...b));
    }));
  }

  function drawings() {
    const overlapping = [], outside = [];
    for (const svg of document.querySelectorAll("svg")) {
      const frame = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim())
        .map((text) => ({ words: text.textContent.trim(), box: corners(text) }));
      texts.forEach(({ words, box }, index) => {
        const inside = box.every(({ x, y }) =>
          x >= frame.left - 1 && x <= frame.right + 1 && y >= frame.top - 1 && y <= frame.bottom + 1);
        if (!inside) outside.push(`"${words}"`);
        for (const other of texts.slice(index + 1)) {
          if (depth(box, other.box) > 1) overlapping.push(`"${words}" and "${other.words}"`);
        }
      });
    }
    return { overlapping, outside };
  }

  const channels = (colour) => {
    const [r, g, b, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], alpha };
  };
  const over = (top, ground) => top.rgb.map((value, i) => value * top.alpha + ground[i] * (1 - top.alpha));
  const luminance = (rgb) => rgb.map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  function ground(element) {
    if (!element) return [255, 255, 255];
    const own = channels(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : over(own, ground(element.parentElement));
  }

  // The lowest contrast of each pair of colours that is used for text, and one element that has it.
  function contrasts() {
    const pairs = new Map();
    const note = (element, style, name) => {
      const back = ground(element);
      const fore = over(channels(style.color), back);
      const [low, high] = [luminance(fore), luminance(back)].sort((a, b) => a - b);
      pairs.set(`${fore} on ${back}`, { ratio: (high + 0.05) / (low + 0.05), name });
    };
    for (const element of withText({ intoScrollers: true })) note(element, getComputedStyle(element), named(element));
    for (const input of document.querySelectorAll("input")) {
      note(input, getComputedStyle(input, "::placeholder"), "a placeholder");
    }
    return [...pairs.values()];
  }

  const FOCUSABLE = "a[href], button, input, summary, [tabindex='0']";
  const focusable = () => [...document.querySelectorAll(FOCUSABLE)].filter(visible);
  const describe = (element) =>
    `<${element.localName}> ${element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40)}`;
  const controls = () => [...document.querySelectorAll("button, input")].filter(visible).map(describe);

  function focused() {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      index: focusable().indexOf(element),
      ring: outlineStyle !== "none" && parseFloat(outlineWidth) >= 1,
      name: describe(element),
    };
  }

  // Rows are known by their places at first, so that an order can be told by numbers.
  const sections = () => [...document.querySelectorAll("section.results")];
  const moreButtons = (section) => [...section.querySelectorAll(".scroll ~ .controls button")].filter(visible);
  const first = sections().map((section) => [...section.querySelector("tbody").rows]);
  const table = (index) => {
    const section = sections()[index];
    const places = new Map(first[index].map((row, place) => [row, place]));
    return {
      shown: [...section.querySelector("tbody").rows].filter(visible).map((row) => places.get(row)),
      sorts: [...section.querySelectorAll("thead th")].map((head) => head.getAttribute("aria-sort")),
      count: section.querySelector("[role=status]")?.textContent,
      buttons: moreButtons(section).map((button) => button.textContent),
    };
  };
  const contents = () => sections().map((section, index) => ({
    title: section.querySelector("h2").textContent,
    heads: [...section.querySelectorAll("thead th")]
      .map((head) => ({ text: head.textContent, word: head.classList.contains("word") })),
    rows: first[index].map((row) => Array.from(row.cells, (cell) => cell.textContent)),
  }));

  function milliseconds(act) {
    const start = performance.now();
    act();
    document.body.offsetHeight; // the layout is part of the price
    return performance.now() - start;
  }
  // With everything shown a table is slowest.
  function timings(index) {
    const section = sections()[index];
    const [filter, heads] = [section.querySelector("input"), section.querySelectorAll("thead button")];
    const type = (text) => milliseconds(() => { filter.value = text; filter.dispatchEvent(new Event("input")); });
    const word = first[index][0].cells[0].textContent.split(" ")[0];
    const measure = () => ({
      sort_number: milliseconds(() => heads[heads.length - 1].click()),
      sort_words: milliseconds(() => heads[0].click()),
      focus_filter: milliseconds(() => filter.focus()),
      filter: type(word.slice(0, 3)), next_letter: type(word.slice(0, 4)), clear: type(""),
    });
    const result = { "first rows": measure() };
    const all = moreButtons(section).at(-1);
    if (all) result["all rows"] = { show_all: milliseconds(() => all.click()), ...measure() };
    return result;
  }

  window.probe = {
    stickingOut, headsWithoutText, drawings, contrasts, controls, focusable: () => focusable().map(describe), focused,
    table, contents, timings,
  };
})()
