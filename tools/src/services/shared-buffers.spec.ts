import { sharedBuffers } from './shared-buffers';

const GIB = 1_024 ** 3;

describe('sharedBuffers', () => {
  it('is a quarter of the memory, within limits', () => {
    expect(sharedBuffers(2 * GIB)).toBe('512MB');
    expect(sharedBuffers(GIB / 4)).toBe('128MB');
    expect(sharedBuffers(64 * GIB)).toBe('1024MB');
  });

  it('knows the memory of this machine', () => {
    expect(sharedBuffers()).toMatch(/^\d{3,4}MB$/);
  });
});
