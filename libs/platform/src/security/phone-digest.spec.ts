import { createHash } from 'node:crypto';
import { PhoneDigest } from './phone-digest';

const [now, before] = [Buffer.alloc(32, 'n'), Buffer.alloc(32, 'b')] as const;
const sha256 = (...parts: (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

describe('PhoneDigest', () => {
  it('knows a number under the key in use and under former ones', () => {
    const [current, former] = new PhoneDigest([now, before]).all('+14155550001');
    expect(new PhoneDigest([now]).all('+14155550001')).toEqual([current]);
    expect(new PhoneDigest([before]).all('+14155550001')).toEqual([former]);
    expect(current).toMatch(/^[0-9a-f]{64}$/);
    expect(new PhoneDigest([now]).all('+14155550002')).not.toEqual([current]);
  });

  it('gives what a statement needs to come to the same', () => {
    const digest = new PhoneDigest([now, before]);
    const { inner, outer } = digest.pads();
    expect(sha256(outer, sha256(inner, '+14155550001')).toString('hex')).toBe(digest.all('+14155550001')[0]);
  });
});
