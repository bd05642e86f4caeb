import { type ChildProcess, spawn } from 'node:child_process';
import { endWithUs } from './end-with-us';

describe('a server that must not outlive us', () => {
  const startServer = (): ChildProcess => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const endOf = (child: ChildProcess): Promise<NodeJS.Signals | null> =>
    new Promise((done) => child.once('exit', (_, signal) => done(signal)));

  it('gets the signal when the channel to us closes, as it does when we die', async () => {
    const server = startServer();
    const ended = endOf(server);
    endWithUs(server, 'SIGTERM').disconnect();
    expect(await ended).toBe('SIGTERM');
  });

  it('leaves no watcher behind when it stops before us', async () => {
    const server = startServer();
    const watchEnded = endOf(endWithUs(server, 'SIGTERM'));
    server.kill('SIGKILL');
    expect(await watchEnded).toBe('SIGTERM');
  });
});
