const { File } = require('node:buffer');
const { TestEnvironment } = require('jest-environment-jsdom');
const { matchQuickly, rememberStyles } = require('./remember-looks.cjs');
const { rememberStorages } = require('./remember-storages.cjs');

/** Globals that every browser has and jsdom lacks, taken from Node; a file can be read as a stream, and goes into a form. */
const FROM_NODE = { File, FormData, Headers, ReadableStream, Response, TextDecoder, TextEncoder, structuredClone };

/** A page without layout, in which the components of the panel are tested. A test answers `fetch`. */
module.exports = class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.endStorages = rememberStorages();
    Object.assign(this.global, FROM_NODE);
    matchQuickly(this.global);
    rememberStyles(this.global);
    const { location } = this.global;
    this.global.Request = class extends Request {
      /** An address is read from where the page is. A signal of jsdom is none of Node's; the answers of a test need none. */
      constructor(asked, { signal: _, ...options } = {}) {
        super(typeof asked === 'string' ? new URL(asked, location.href) : asked, options);
      }
    };
    this.global.fetch = () => Promise.reject(new Error('Nobody answers: give the test a gateway'));
  }

  async teardown() {
    this.endStorages?.();
    await super.teardown();
  }
};
