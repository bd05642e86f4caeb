import type { Rule } from '../segments/language/rule';
import type { DeviceFacts } from './explained-device';
import { sayRule } from './say-rule';

const NOW = new Date('2026-11-23T10:00:00.000Z');
const DEVICE = {
  ...{ deviceType: 'ios', osVersion: '17.4', clientVersion: '9.2', launchCount: '3' },
  ...{ launchTime: new Date('2026-11-22T10:00:00.000Z'), installDate: new Date('2026-10-01T10:00:00.000Z') },
} as DeviceFacts;

describe('why a device is in a group or not', () => {
  it.each([
    ['launchCount', 'greater_than', 10, 'number of visits 3 is not greater than 10'],
    ['deviceType', 'equal_to', 'android', 'device type "ios" is not equal to "android"'],
    ['osVersion', 'greater_equals', '18', 'system version "17.4" is not at least "18"'],
    ['clientVersion', 'lesser_than', '9', 'app version "9.2" is not less than "9"'],
  ] as const)('names %s as the panel does', (name, operator, value, words) => {
    const rule = { kind: 'rule', name, operator, values: [value] } as unknown as Rule;
    expect(sayRule(rule, DEVICE, false, NOW)).toBe(words);
  });

  it('names the times of a device that are compared with a moment', () => {
    const rule = { kind: 'rule', name: 'installDate', operator: 'equal_to', values: ['2026-10-02'] } as unknown as Rule;
    expect(sayRule(rule, DEVICE, false, NOW)).toMatch(/^installation "2026-10-01T10:00:00.000Z" is not equal to/);
  });
});
