import { testDevice } from '../testing/test-device';
import { Attributes } from './attributes';

describe('attributes that JSON would make null', () => {
  it.each([[Number.NaN], [Infinity], [new Date('soon')], [[1, Number.NaN]]])(
    'are not sent, since null removes an attribute: %p',
    async (value) => {
      const { service, registrar } = testDevice();
      await registrar.register();
      const calls = service.calls.length;
      await expect(new Attributes(service.api(), registrar).set({ born: value })).rejects.toThrow(/^born must be/);
      expect(service.calls).toHaveLength(calls);
    },
  );
});
