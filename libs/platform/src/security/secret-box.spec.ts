import fc from 'fast-check';
import { Secret } from '../config/secret';
import { SecretBox, UnopenedSeal } from './secret-box';

const former = new Secret('f'.repeat(32));
const present = new Secret('p'.repeat(32));

describe('a secret box', () => {
  it('opens what was sealed under its key, in the same context only', () => {
    const box = new SecretBox(present);
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, context) => {
        const json = JSON.parse(JSON.stringify(value)) as never;
        const sealed = box.seal(json, context);
        expect(box.open(sealed, context)).toEqual(json);
        expect(() => box.open(sealed, `${context}x`)).toThrow(UnopenedSeal);
      }),
    );
  });

  it('opens what was sealed under the key before, and seals under its own', () => {
    const sealed = new SecretBox(former).seal('kept', 'a');
    const box = new SecretBox(present, former);
    expect(box.open(sealed, 'a')).toBe('kept');
    const anew = box.reseal(sealed, 'a');
    expect(new SecretBox(present).open(anew as Buffer, 'a')).toBe('kept');
    expect(box.reseal(anew as Buffer, 'a')).toBeNull();
    expect(() => new SecretBox(former).open(box.seal('new', 'a'), 'a')).toThrow(UnopenedSeal);
  });

  it('says in one line what does not open under a wrong key, and throws nothing else for any bytes', () => {
    const box = new SecretBox(new Secret('w'.repeat(32)));
    const sealed = new SecretBox(present, former).seal('x', 'vendor:shop:fcm');
    const line =
      'vendor:shop:fcm cannot be decrypted: it was encrypted with another key than SECRET_KEY and SECRET_KEY_PREVIOUS, or was changed';
    expect(() => box.open(sealed, 'vendor:shop:fcm')).toThrow(line);
    expect(() => box.reseal(sealed, 'vendor:shop:fcm')).toThrow(line);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(() => box.open(Buffer.from(bytes), 'a')).toThrow(UnopenedSeal);
        expect(() => box.open(Buffer.from([1, ...bytes]), 'a')).toThrow(UnopenedSeal);
      }),
    );
  });
});
