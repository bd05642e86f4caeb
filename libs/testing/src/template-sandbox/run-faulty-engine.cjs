// A template engine with mistakes of its own that no budget knows of: filters that never end, take
// all memory, abort as V8 does when there is no memory left, or exit.
const { filters } = require('liquidjs');

filters.slugify = () => {
  for (;;);
};
filters.squish = () => {
  const all = [];
  for (;;) all.push(all.join('x') + all.length);
};
filters.cgi_escape = () => process.abort();
filters.strip_html = () => process.exit(1);

require('./run-from-sources.cjs');
