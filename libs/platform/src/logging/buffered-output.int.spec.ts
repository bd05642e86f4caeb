import { execFileSync } from 'node:child_process';
import fs, { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BufferedOutput } from './buffered-output';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

describe('the output of a process, into a pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-output-'));
  let reader: number;
  let writer: number;

  beforeEach(() => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    reader = openSync(pipe, O_RDONLY | O_NONBLOCK);
    writer = openSync(pipe, O_WRONLY | O_NONBLOCK);
    rmSync(pipe);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Fills the pipe. @returns what it holds */
  function fill(): string {
    const part = '.'.repeat(1_000);
    for (let held = ''; ; held += part) {
      try {
        writeSync(writer, part);
      } catch {
        return held;
      }
    }
  }

  it('is complete and in order, although its reader begins only when the pipe has been full for some time', async () => {
    const before = fill();
    const writes = jest.spyOn(fs, 'write');
    const output = new BufferedOutput(writer);
    const lines = Array.from({ length: 20_000 }, (_, n) => `${n} Grüße 🚚\n`);
    for (const line of lines) output.write(line);
    const isFlushed = new Promise<void>((flushed) => output.flush(flushed));
    // It tries again because the reader had no room.
    while (writes.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const read = text(new Socket({ fd: reader, readable: true, writable: false }));
    await isFlushed;
    closeSync(writer);
    expect(await read).toBe(before + lines.join(''));
  });

  it('holds a limited part of itself for a reader that has stopped, and tells the later reader how many lines are not there', async () => {
    fill();
    const onDropped = jest.fn((lines: number) => output.write(`${lines} lines are not there\n`));
    const output: BufferedOutput = new BufferedOutput(writer, onDropped, 100_000);
    for (let n = 0; n < 1_000; n++) output.write(`line ${n} ${'.'.repeat(990)}\n`);
    expect(onDropped).not.toHaveBeenCalled();
    const read = text(new Socket({ fd: reader, readable: true, writable: false }));
    await new Promise<void>((flushed) => output.flush(flushed));
    closeSync(writer);
    const said = await read;
    const kept = [...said.matchAll(/line (\d+) /g)].map(([, n]) => Number(n));
    expect(kept).toEqual(kept.map((_, n) => n));
    expect(kept.length).toBeGreaterThanOrEqual(100);
    expect(kept.length).toBeLessThan(200);
    expect(onDropped.mock.calls).toEqual([[1_000 - kept.length]]);
    expect(said).toMatch(new RegExp(`\n${1_000 - kept.length} lines are not there\n$`));
  });

  it('is dropped when its reader is gone, and whoever waits for it goes on', async () => {
    const output = new BufferedOutput(writer);
    closeSync(reader);
    const flushed = jest.fn();
    for (const line of ['nobody reads this', 'nor this']) {
      output.write(`${line}\n`);
      await new Promise<void>((resolve) => output.flush(resolve)).then(flushed);
    }
    expect(flushed).toHaveBeenCalledTimes(2);
    closeSync(writer);
  });

  it('leaves no trace in a process that writes nothing', () => {
    const before = process.listenerCount('exit');
    const output = new BufferedOutput(writer);
    output.flush(() => undefined);
    expect(process.listenerCount('exit')).toBe(before);
    [reader, writer].forEach(closeSync);
  });
});
