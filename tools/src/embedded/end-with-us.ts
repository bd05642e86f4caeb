import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Makes sure that a server of ours does not outlive us, however we die: a small process notices when its channel to us
 * closes, and then sends the server `signal`. It goes when the server does.
 *
 * @returns the process that watches
 */
export function endWithUs(server: ChildProcess, signal: NodeJS.Signals): ChildProcess {
  const script = `
    process.on('disconnect', () => {
      try { process.kill(${server.pid}, '${signal}'); } catch { /* it is gone already */ }
      process.exit();
    });`;
  const watch = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: '/',
  });
  watch.unref();
  watch.channel?.unref();
  server.once('exit', () => watch.kill());
  return watch;
}
