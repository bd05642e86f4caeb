const { createRequire } = require('node:module');

const ofJsdom = createRequire(require.resolve('jest-environment-jsdom'));
// Its parts refer to each other, and load in this order only.
ofJsdom('jsdom');
const { implForWrapper } = ofJsdom('jsdom/lib/jsdom/living/generated/utils.js');
const cssom = ofJsdom('rrweb-cssom');
const browserSheet = ofJsdom('jsdom/lib/jsdom/browser/default-stylesheet');
const { propertiesWithResolvedValueImplemented } = ofJsdom('jsdom/lib/jsdom/living/helpers/style-rules.js');
const { implementation: Label } = ofJsdom('jsdom/lib/jsdom/living/nodes/HTMLLabelElement-impl.js');

/**
 * Keeps the computed style of an element until the page changes. The search for a role asks for the styles of all elements below
 * and above each candidate, and jsdom makes each of them anew: a sixth of the time of the panel's tests.
 *
 * @param window the page's
 */
function rememberStyles(window) {
  const compute = window.getComputedStyle;
  /** By what jsdom itself keeps of the styles of a page, which it forgets with each change. */
  const kept = new WeakMap();
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return compute(element, pseudo);
    const page = implForWrapper(element.ownerDocument);
    const known = kept.get(page._styleCache ?? page)?.get(element);
    if (known !== undefined) return known;
    const style = compute(element);
    if (!kept.has(page._styleCache)) kept.set(page._styleCache, new WeakMap());
    kept.get(page._styleCache).set(element, style);
    return style;
  };
}

/**
 * Keeps the field to which a label belongs until the page changes. For the labels of each field jsdom asks every label of
 * the page, and each of them goes through the whole page.
 */
function rememberFieldsOfLabels() {
  const { get } = Object.getOwnPropertyDescriptor(Label.prototype, 'control');
  const kept = new WeakMap();
  Object.defineProperty(Label.prototype, 'control', {
    configurable: true,
    get() {
      const root = this.getRootNode({});
      const known = kept.get(this);
      if (known?.root === root && known.version === root._version) return known.control;
      const control = get.call(this);
      kept.set(this, { root, version: root._version, control });
      return control;
    },
  });
}

/** Leaves colours as they are written: no test asks for one, and jsdom looked for nine of them in all elements above each element. */
function leaveColours() {
  for (const [property, { computedValue }] of Object.entries(propertiesWithResolvedValueImplemented))
    if (computedValue === 'computed-color') delete propertiesWithResolvedValueImplemented[property];
}

const HTML = 'http://www.w3.org/1999/xhtml';
/** The end of a selector that begins with the name of an element, and that name. */
const NAMED_END = /(?:^|[\s>+~])([a-z][a-z0-9-]*)[^\s>+~]*$/i;
const tagsOf = new Map();

/** @returns the names that elements of `selectors` have, and those whose elements are all meant; null: elements of any name */
function tagsIn(selectors) {
  if (tagsOf.has(selectors)) return tagsOf.get(selectors);
  // What stands in brackets and quotes only says more of the same elements.
  const bare = selectors
    .toLowerCase()
    .replace(/"[^"]*"|'[^']*'/g, '')
    .replace(/\[[^\]]*\]|\([^()]*\)/g, '');
  const parts = /["'()[\]\\|]/.test(bare) ? [] : bare.split(',');
  const names = parts.map((part) => NAMED_END.exec(part.trim())?.[1]);
  const isKnown = names.length > 0 && !names.includes(undefined);
  const isPlain = /^[a-z0-9\s,-]*$/i.test(selectors);
  const whole = new Set(isPlain ? parts.map((part) => part.trim()).filter((part) => !/\s/.test(part)) : []);
  const tags = isKnown ? { names: new Set(names), whole } : null;
  tagsOf.set(selectors, tags);
  return tags;
}

/**
 * Compares names of elements before selectors are tried: most rules of a browser's own style sheet and most selectors of roles are for
 * other elements, and the library tries each part of them, for each element.
 *
 * @param document with the library, as jsdom keeps it
 */
function compareNamesFirst(document, place) {
  const library = document[place];
  const { match } = library;
  library.match = (selectors, element, callback) => {
    const tags = tagsIn(selectors);
    if (tags !== null) {
      const name = element.localName.toLowerCase();
      if (!tags.names.has(name)) return false;
      if (tags.whole.has(name) && element.namespaceURI === HTML && callback === undefined) return true;
    }
    return match(selectors, element, callback);
  };
}

/** What tests ask of a style. */
const ASKED = new Set(['display', 'visibility', 'pointer-events']);

/** Leaves out rules of a browser's own style sheet that say nothing of it: margins and fonts, nearly half of them. */
function leaveFonts() {
  const { parse } = cssom;
  cssom.parse = (text, ...more) => {
    const sheet = parse(text, ...more);
    if (text === browserSheet)
      sheet.cssRules = sheet.cssRules.filter(({ style }) =>
        Array.from(style ?? []).some((property) => ASKED.has(property)),
      );
    return sheet;
  };
}

/** @param window the page's */
function matchQuickly(window) {
  const { document } = window;
  // jsdom makes the libraries on first use.
  document.documentElement.matches('html');
  window.getComputedStyle(document.documentElement);
  for (const place of ['_nwsapi', '_nwsapiDontThrow']) compareNamesFirst(implForWrapper(document), place);
}

rememberFieldsOfLabels();
leaveColours();
leaveFonts();

module.exports = { matchQuickly, rememberStyles };
