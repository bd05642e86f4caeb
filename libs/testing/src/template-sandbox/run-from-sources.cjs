const { join } = require('node:path');

require('../compile-sources.cjs');
require(join(__dirname, '../../../rendering/src/sandbox/sandbox.entry.ts'));
