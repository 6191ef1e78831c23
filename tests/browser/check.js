// Looks a page over where it is shown, and tells the window around it what it found.
// `NEEDED` (phrases) and `NAME` are written before it.
window.addEventListener("load", function () {
  "use strict";
  var findings = [];
  function say(kind, what) { findings.push(kind + ": " + String(what).trim().slice(0, 160)); }
  function all(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }
  function path(element) {
    var name = element.tagName.toLowerCase();
    return element.className && element.className.baseVal === undefined ? name + "." + element.className : name;
  }

  // 1. what must be there, before anything is unfolded
  var text = document.body.innerText.replace(/\s+/g, " ");
  NEEDED.forEach(function (phrase) { if (text.indexOf(phrase) < 0) { say("missing", phrase); } });
  all("details").forEach(function (details) { details.open = true; });

  // 2. structure
  if (!document.documentElement.lang) { say("structure", "no language"); }
  ["header", "main", "footer"].forEach(function (name) {
    if (!document.querySelector(name)) { say("structure", "no " + name); }
  });
  if (all("h1").length !== 1) { say("structure", all("h1").length + " h1"); }
  var level = 0;
  all("h1, h2, h3, h4, h5, h6").forEach(function (heading) {
    var own = Number(heading.tagName.charAt(1));
    if (own > level + 1) { say("heading order", "h" + level + " then " + heading.textContent); }
    level = own;
  });
  all("th").forEach(function (cell) { if (!cell.scope) { say("th without scope", cell.textContent); } });
  all("svg").forEach(function (svg) {
    var title = svg.querySelector("title"), description = svg.querySelector("desc");
    if (svg.getAttribute("role") !== "img" || !title || !title.textContent || !description || !description.textContent) {
      say("svg without title or description", svg.outerHTML);
    }
  });
  var ids = {};
  all("[id]").forEach(function (element) {
    if (ids[element.id]) { say("id twice", element.id); }
    ids[element.id] = true;
  });
  all("[aria-labelledby]").forEach(function (element) {
    element.getAttribute("aria-labelledby").split(" ").forEach(function (id) {
      if (!ids[id]) { say("label that is not there", id); }
    });
  });
  all("a[href^='#']").forEach(function (link) {
    if (!ids[link.getAttribute("href").slice(1)]) { say("broken link", link.getAttribute("href")); }
  });
  all("link, img, iframe, object, embed, [src]").forEach(function (element) { say("from elsewhere", element.outerHTML); });
  all("label").forEach(function (label) { if (!ids[label.htmlFor]) { say("label of nothing", label.textContent); } });
  var link = document.querySelector("main a, a");
  if (link) {
    link.focus();
    var style = getComputedStyle(link);
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1) { say("focus is not seen", link.outerHTML); }
    link.blur();
  }

  // 3. nothing wider than the page
  var page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth) {
    say("overflow", page.scrollWidth + " px of " + page.clientWidth);
    all("body *").forEach(function (element) {
      if (element.getBoundingClientRect().right > page.clientWidth + 1 && !element.closest(".scroll, pre, svg, .skip")) {
        say("too wide", path(element) + " " + element.textContent);
      }
    });
  }
  all(".scroll, pre").forEach(function (box) {
    if (box.scrollWidth > box.clientWidth + 1 && box.tabIndex < 0) { say("scrolls without a keyboard", path(box)); }
  });

  // 4. every text: size, and contrast with what lies behind it
  function color(value) {
    var parts = value.match(/[\d.]+/g).map(Number);
    return { r: parts[0], g: parts[1], b: parts[2], a: parts.length > 3 ? parts[3] : 1 };
  }
  function over(top, below) {
    function mix(part) { return top[part] * top.a + below[part] * (1 - top.a); }
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  }
  function luminance(c) {
    function part(value) {
      var share = value / 255;
      return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
    return 0.2126 * part(c.r) + 0.7152 * part(c.g) + 0.0722 * part(c.b);
  }
  function behind(element) {
    var layers = [];
    for (var one = element; one; one = one.parentElement) {
      var background = color(getComputedStyle(one).backgroundColor);
      if (background.a > 0) { layers.push(background); }
      if (background.a === 1) { break; }
    }
    return layers.reverse().reduce(function (below, top) { return over(top, below); }, { r: 255, g: 255, b: 255, a: 1 });
  }
  var worst = 21, texts = 0, walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    var node = walker.currentNode, element = node.parentElement;
    if (!node.textContent.trim() || element.closest("script, style, title, desc, option, [hidden]")) { continue; }
    var range = document.createRange();
    range.selectNodeContents(node);
    var box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 8) { say("text without size", path(element) + " " + node.textContent); continue; }
    texts += 1;
    var computed = getComputedStyle(element);
    var ink = color(element.closest("svg") ? computed.fill : computed.color);
    var ground = behind(element);
    var light = [luminance(over(ink, ground)), luminance(ground)].sort(function (a, b) { return b - a; });
    var contrast = (light[0] + 0.05) / (light[1] + 0.05);
    worst = Math.min(worst, contrast);
    if (contrast < 4.5) { say("contrast " + contrast.toFixed(2), path(element) + " " + node.textContent); }
  }

  // 5. texts of drawings: inside, and not on each other
  all("svg").forEach(function (svg) {
    var frame = svg.getBoundingClientRect(), boxes = [];
    Array.prototype.slice.call(svg.querySelectorAll("text")).forEach(function (label) {
      var box = label.getBoundingClientRect(), what = svg.querySelector("title").textContent + ": " + label.textContent;
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        say("text outside its drawing", what);
      }
      boxes.forEach(function (other) {
        var across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        var down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 4) { say("texts on each other", what + " / " + other.label); }
      });
      boxes.push({ box: box, label: label.textContent });
    });
  });

  parent.postMessage({
    name: NAME,
    width: window.innerWidth,
    dark: window.matchMedia("(prefers-color-scheme: dark)").matches,
    texts: texts,
    worst: worst,
    findings: findings.slice(0, 40)
  }, "*");
});
