/** A style sheet in a test: every class has its own name. */
module.exports = new Proxy(
  { __esModule: true },
  { get: (names, name) => names[name] ?? (name === 'default' ? module.exports : name) },
);
