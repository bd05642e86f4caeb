import { generateAccessToken, hashAccessToken } from './access-token';

describe('an access token', () => {
  it('holds 256 random bits, and no two are alike', () => {
    const tokens = new Set(Array.from({ length: 1_000 }, generateAccessToken));
    expect(tokens.size).toBe(1_000);
    for (const token of tokens) expect(token).toMatch(/^pr_[0-9a-f]{64}$/);
  });

  it('is stored as its SHA-256 (FIPS 180-4, the example "abc")', () => {
    expect(hashAccessToken('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
