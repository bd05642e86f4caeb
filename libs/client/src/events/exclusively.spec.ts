import { openBus } from './bus';
import { Exclusive, Lead } from './exclusively';

/** A page whose browser denies it everything that is kept or shared: cookies are blocked, or it is in a sandboxed frame. */
function denyEverything(): () => void {
  const denied = (): Error => Object.assign(new Error('The operation is insecure'), { name: 'SecurityError' });
  const globals = {
    location: {},
    navigator: { locks: { request: () => Promise.reject(denied()) } },
    BroadcastChannel: function BroadcastChannel(): never {
      throw denied();
    },
  };
  const before = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
}

describe('a page to which the browser denies locks and channels', () => {
  let allow: () => void;
  beforeEach(() => {
    allow = denyEverything();
  });
  afterEach(() => allow());

  it('does one thing at a time by itself', async () => {
    const turn = new Exclusive('a');
    const done: string[] = [];
    let finish = (): void => undefined;
    const first = turn.run(() =>
      new Promise<void>((resolve) => (finish = resolve)).then(() => void done.push('first')),
    );
    const second = turn.run(() => Promise.resolve(void done.push('second')));
    const third = turn.run(() => Promise.reject(new Error('third')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual([]);
    finish();
    await Promise.all([first, second, expect(third).rejects.toThrow('third')]);
    expect(done).toEqual(['first', 'second']);
  });

  it('leads, unless it gave up before', async () => {
    let begun = 0;
    const lead = new Lead('a');
    lead.take(() => begun++);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(1);
    lead.give();
    lead.take(() => begun++);
    lead.give();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(1);
  });

  it('has a bus without listeners', () => {
    const bus = openBus('shop');
    bus.post({ kind: 'identity' });
    bus.close();
  });
});
