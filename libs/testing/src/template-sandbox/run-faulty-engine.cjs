// A template engine with mistakes of its own that no budget knows of: three filters that never end, take all memory, or kill.
const { filters } = require('liquidjs');

filters.slugify = () => {
  for (;;);
};
filters.squish = () => {
  const all = [];
  for (;;) all.push(all.join('x') + all.length);
};
filters.strip_html = () => process.exit(1);

require('./run-from-sources.cjs');
