// A template engine with mistakes of its own that no budget knows of: filters that never end, take
// all memory, abort as V8 does when there is no memory left, exit, or are killed as by a kernel that is short of memory: one
// each time, one only once for the file that its value names.
const { writeFileSync } = require('node:fs');
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
filters.xml_escape = () => process.kill(process.pid, 'SIGKILL');
filters.uri_escape = (file) => {
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch {
    return 'again';
  }
  return process.kill(process.pid, 'SIGKILL');
};

require('./run-from-sources.cjs');
