import { readRequest } from '../validation/read-request';
import { AttributesRequest } from './attributes.request';
import { RegistrationRequest } from './registration.request';

/** `é` as two characters, and as one character, in which everything is compared. */
const DECOMPOSED = 'Cafe\u0301';
const COMPOSED = 'Caf\u00e9';

describe('text that segment rules will compare', () => {
  it('is kept in one Unicode form, in attributes and in lists of them', () => {
    const { request } = readRequest(AttributesRequest, {
      userId: 'ada',
      attributes: { place: DECOMPOSED, places: [DECOMPOSED, 7] },
    });
    expect(request.attributes).toEqual({ place: COMPOSED, places: [COMPOSED, 7] });
  });

  it('is kept in one Unicode form in the further fields of a registration', () => {
    const { request } = readRequest(RegistrationRequest, { userId: 'ada', deviceModel: DECOMPOSED, [DECOMPOSED]: 1 });
    expect(request.rest).toEqual({
      deviceModel: COMPOSED,
      [COMPOSED]: 1,
    });
  });
});

describe('an attribute over its limit', () => {
  it.each([
    ['text', 'x'.repeat(4_097), 'must hold text of at most 4096 characters'],
    ['text in a list', ['x', 'x'.repeat(4_097)], 'must hold text of at most 4096 characters'],
    ['a list', Array(1_001).fill('x'), 'must have at most 1000 entries'],
    ['an object', { a: 1 }, 'must be a number, text, a boolean, an array of these, or null to remove it'],
  ])('is refused with the limit: %s', (_, value, message) => {
    const { problems } = readRequest(AttributesRequest, { userId: 'ada', attributes: { note: value } });
    expect(problems).toEqual([{ path: 'attributes.note', message }]);
  });
});
