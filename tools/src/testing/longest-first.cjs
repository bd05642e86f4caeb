const { default: Sequencer } = require('@jest/test-sequencer');

/** Whole systems of processes take longest, then what has PostgreSQL and Redis. */
const ORDER = ['e2e', 'int', 'panel', 'unit'];
/** Among its like: what replays ten thousand requests, or runs every command of a page; whole systems with a browser, rounds or many campaigns. */
const LONGEST = [
  '/corpus.int',
  '/examples.int',
  '/compose-page',
  '/panel/',
  '/published-client/published-client',
  '/campaigns/',
  '/libraries',
  '/vendors/vendors',
  '/one-system/',
];

/**
 * Starts the longest test files first, so that no worker is left with one of them while the others are idle. Jest knows
 * the times of a former run; without one it would go by the size of the files, which says little.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path, context }) => {
      const rank = LONGEST.findIndex((part) => path.includes(part));
      return ORDER.indexOf(context.config.displayName?.name) * 100 + (rank < 0 ? LONGEST.length : rank);
    };
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
};
