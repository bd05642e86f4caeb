import { isTwilioSigned, twilioStatus } from './twilio-callback';

// The example of Twilio's documentation ("Signature validation").
const URL = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const FORM = {
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675310',
  Digits: '1234',
  From: '+14158675310',
  To: '+18005551212',
};
const SIGNATURE = 'GvWf1cFY/Q7PnoempGyD5oXAezc=';

it("the check of a signature of Twilio accepts Twilio's own example", () => {
  expect(isTwilioSigned({ signature: SIGNATURE, url: URL, form: FORM }, '12345')).toBe(true);
});

it.each([
  ['another token', SIGNATURE, '12346', URL, FORM],
  ['another address', SIGNATURE, '12345', `${URL}3`, FORM],
  ['another field', SIGNATURE, '12345', URL, { ...FORM, Digits: '1235' }],
  ['a field more', SIGNATURE, '12345', URL, { ...FORM, Zip: '' }],
  ['no signature', '', '12345', URL, FORM],
  ['half a signature', 'GvWf1cFY/Q7P', '12345', URL, FORM],
  ['nonsense', '%%%%', '12345', URL, FORM],
])('the check of a signature of Twilio refuses %s', (_name, signature, token, url, form) => {
  expect(isTwilioSigned({ signature, url, form }, token)).toBe(false);
});

it.each([
  ['queued', 'sent'],
  ['delivered', 'delivered'],
  ['undelivered', 'undelivered'],
  ['canceled', 'failed'],
  ['receiving', null],
  ['constructor', null],
  [['delivered'], null],
  [undefined, null],
])('the status %j of Twilio is taken for %s', (status, meaning) => {
  expect(twilioStatus(status)).toBe(meaning);
});
