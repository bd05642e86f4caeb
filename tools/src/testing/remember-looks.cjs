const { createRequire } = require('node:module');

const ofJsdom = createRequire(require.resolve('jest-environment-jsdom'));
// Its parts refer to each other, and load in this order only.
ofJsdom('jsdom');
const { implForWrapper } = ofJsdom('jsdom/lib/jsdom/living/generated/utils.js');
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

rememberFieldsOfLabels();

module.exports = { rememberStyles };
