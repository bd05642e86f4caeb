import { recogniseValue } from './import-formats';

describe('the format of a file', () => {
  it('is known by the members of its first object', () => {
    expect(recogniseValue({ endpointarn: 'a' })).toBeNull();
    expect(recogniseValue({ EndpointArn: 'a', Attributes: {} })).toBe('sns');
    expect(recogniseValue({ endpoint: 'https://x', keys: {} })).toBe('webpush');
    expect(recogniseValue('{"endpoint":"x"}')).toBe('webpush');
    expect(recogniseValue([1])).toBeNull();
  });
});
