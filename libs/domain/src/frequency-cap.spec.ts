import { capRoleOf } from './frequency-cap';

describe('the role of a message for frequency caps', () => {
  it.each([
    ['campaign', {}, true, true],
    ['campaign', { ignoreFrequencyCap: true }, true, false],
    ['campaign', { isTest: true }, false, false],
    ['transactional', {}, false, false],
    ['transactional', { ignoreFrequencyCap: true }, false, false],
    ['transactional', { countsTowardsCap: true }, true, true],
    ['transactional', { countsTowardsCap: true, ignoreFrequencyCap: true }, true, false],
    ['transactional', { countsTowardsCap: true, isTest: true }, false, false],
  ] as const)('in the lane %s with %j is: counted %s, capped %s', (lane, content, isCounted, isCapped) => {
    expect(capRoleOf(lane, content)).toEqual({ isCounted, isCapped });
  });
});
