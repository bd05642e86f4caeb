import { parseFaultRules } from './fault-rule.shape';

describe('fault rules from the control port', () => {
  it('are taken as they are when they are in order', () => {
    const rules = [
      { vendor: 'fcm', match: { share: 0.05 }, fault: { kind: 'dead_token' } },
      { vendor: '*', match: { after: 10, times: 3 }, fault: { kind: 'status', http: 429, retryAfter: 2 } },
      { vendor: 'apns', fault: { kind: 'goaway', every: 300 } },
      { vendor: 'hms', fault: { kind: 'reset', code: 'CANCEL', taken: true } },
    ];
    expect(parseFaultRules(rules)).toEqual({ rules });
  });

  it.each([
    [{}, ['expected a list of rules']],
    [[{ vendor: 'gcm', fault: { kind: 'hang' } }], [expect.stringMatching(/^\[0\]\.vendor must be one of \*, fcm/)]],
    [[{ vendor: 'fcm' }], ['[0] lacks "fault"']],
    [
      [{ vendor: 'fcm', fault: { kind: 'sulk' } }],
      [expect.stringMatching(/^\[0\]\.fault\.kind must be one of dead_token/)],
    ],
    [[{ vendor: 'fcm', fault: { kind: 'slow' } }], ['[0].fault lacks "ms"']],
    [[{ vendor: 'fcm', fault: { kind: 'hang', ms: 1 } }], ['[0].fault has an unknown field "ms"']],
    [
      [{ vendor: 'fcm', match: { share: 2 }, fault: { kind: 'hang' } }],
      ['[0].match.share must be a number from 0 to 1'],
    ],
    [[null], ['[0] must be an object']],
  ])('say what is wrong with %j', (value, problems) => {
    expect(parseFaultRules(value)).toEqual({ problems });
  });
});
