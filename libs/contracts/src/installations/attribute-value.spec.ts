import { readAttributes } from './attributes.request';
import { readRegistration } from './registration.request';

/** `é` as two characters, and as the one that everything is compared in. */
const DECOMPOSED = 'Cafe\u0301';
const COMPOSED = 'Caf\u00e9';

describe('text that segment rules will compare', () => {
  it('is kept in one Unicode form, in attributes and in lists of them', () => {
    const { attributes } = readAttributes({
      userId: 'ada',
      attributes: { place: DECOMPOSED, places: [DECOMPOSED, 7] },
    });
    expect(attributes).toEqual({ place: COMPOSED, places: [COMPOSED, 7] });
  });

  it('is kept in one Unicode form in the further fields of a registration', () => {
    expect(readRegistration({ userId: 'ada', deviceModel: DECOMPOSED, [DECOMPOSED]: 1 }).rest).toEqual({
      deviceModel: COMPOSED,
      [COMPOSED]: 1,
    });
  });
});
