const asyncHooks = require('node:async_hooks');

/**
 * Each storage that was ever used is asked at every promise whether it has something to hand on, by Node.js before 24. Those of a
 * test file that has ended would be asked for by all that come behind it.
 *
 * @returns what ends the storages that were made since
 */
function rememberStorages() {
  const { AsyncLocalStorage } = asyncHooks;
  const storages = [];
  const noticed = class extends AsyncLocalStorage {
    constructor(...words) {
      super(...words);
      storages.push(new WeakRef(this));
    }
  };
  const how = { configurable: true, enumerable: true };
  const set = (value) => Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value, ...how });
  set(noticed);
  return () => {
    set(AsyncLocalStorage);
    for (const storage of storages) storage.deref()?.disable();
  };
}

module.exports = { rememberStorages };
