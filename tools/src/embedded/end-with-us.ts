import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Makes sure that an embedded server does not outlive this process, however it ends: a small process notices when its
 * channel to this one closes, and then sends the server `signal`. It ends with the server.
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
