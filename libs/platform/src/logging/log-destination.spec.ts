import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { openLogDestination } from './log-destination';

describe('where log lines go', () => {
  it('does not stand in the way of an end when nobody reads any more', async () => {
    const reader = spawn(process.execPath, ['-e', ''], { stdio: ['pipe', 'ignore', 'ignore'] });
    const input = reader.stdin as unknown as Socket & { _handle: { fd: number } };
    const { fd } = input._handle;
    await new Promise((gone) => reader.once('exit', gone));

    const destination = openLogDestination(fd);
    destination.on('error', () => undefined);
    await new Promise((ready) => destination.once('ready', ready));
    destination.write('the last line\n');
    expect(() => destination.flushSync()).not.toThrow();
  });
});
