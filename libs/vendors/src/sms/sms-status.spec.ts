import { kavenegarStatus } from './kavenegar/read-kavenegar-answer';
import { twilioStatus } from './twilio/twilio-callback';

it.each([
  ['sent', ['accepted', 'scheduled', 'queued', 'sending', 'sent']],
  ['delivered', ['delivered', 'read', 'partially_delivered']],
  ['undelivered', ['undelivered']],
  ['failed', ['failed', 'canceled']],
  [null, ['receiving', 'received', '', 'constructor', undefined, 7]],
])('Twilio says %s', (status, words) => {
  for (const word of words) expect(twilioStatus(word)).toBe(status);
});

it.each([
  ['sent', [1, 2, 4, '5']],
  ['delivered', [10, '10']],
  ['undelivered', [11, 14]],
  ['failed', [6, 13]],
  [null, [100, 0, '', 'toString', undefined, null]],
])('Kavenegar says %s', (status, numbers) => {
  for (const number of numbers) expect(kavenegarStatus(number)).toBe(status);
});
