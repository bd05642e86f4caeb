import dns from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { POOL_DEFAULTS } from '../http2/http2-call';
import { openSocket } from '../http2/open-socket';
import { lookupInTurns } from './lookup-in-turns';

describe('names that strangers chose', () => {
  let nowMs: number;
  let begun: string[];
  let answers: (() => void)[];
  let found: [string, unknown][];
  let look: LookupFunction;

  beforeEach(() => {
    nowMs = 0;
    begun = [];
    answers = [];
    found = [];
    const slow: LookupFunction = (hostname, _, callback) => {
      begun.push(hostname);
      answers.push(() => callback(null, '93.184.215.14', 4));
    };
    look = lookupInTurns(slow, () => nowMs);
  });

  const ask = (hostname: string): void =>
    look(hostname, {}, (error, address) => found.push([hostname, error?.code ?? address]));

  it('are resolved one after the other', () => {
    for (const name of ['a.example', 'b.example']) ask(name);
    expect(begun).toEqual(['a.example']);
    answers.shift()?.();
    expect(begun).toEqual(['a.example', 'b.example']);
    answers.shift()?.();
    expect(found).toEqual([
      ['a.example', '93.184.215.14'],
      ['b.example', '93.184.215.14'],
    ]);
    ask('c.example');
    expect(begun).toHaveLength(3);
  });

  it('are not resolved for whoever has given up: those that come later need not wait for them', () => {
    for (const name of ['a.example', 'b.example', 'c.example']) ask(name);
    nowMs = 10_001;
    ask('d.example');
    expect(found).toEqual([
      ['b.example', 'EAI_AGAIN'],
      ['c.example', 'EAI_AGAIN'],
    ]);
    answers.shift()?.();
    expect(begun).toEqual(['a.example', 'd.example']);
  });
});

describe('a name server that does not answer', () => {
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    jest.restoreAllMocks();
  });

  it('is asked for one name of strangers at a time, and keeps nobody else waiting', () => {
    const asked: unknown[] = [];
    jest.spyOn(dns, 'lookup').mockImplementation((name: string) => asked.push(name));
    const open = (name: string, isFromStrangers: boolean): void => {
      const options = { ...POOL_DEFAULTS, origin: new URL(`https://${name}`), isFromStrangers };
      sockets.push(openSocket(options, { onOpen: () => undefined, onFailure: () => undefined }));
    };
    for (const name of ['a.example', 'b.example', 'c.example']) open(name, true);
    open('vendor.example', false);
    expect(asked).toEqual(['a.example', 'vendor.example']);
  });
});
