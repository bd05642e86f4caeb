import { openBus } from './bus';

describe('the bus between pages', () => {
  const globals = globalThis as { location?: object };
  afterEach(() => delete globals.location);

  it('says nothing more once it is closed, and harms nobody who still speaks', () => {
    globals.location = {};
    const bus = openBus('shop');
    bus.close();
    expect(() => bus.post({ kind: 'identity' })).not.toThrow();
  });
});
