import type { ChildProcess } from 'node:child_process';

/** A server in a process of its own. */
export interface Server {
  process: ChildProcess;
  stop(): Promise<void>;
}

/** A server that is started again when it dies. */
interface KeptServer<Kept extends Server> {
  /** As it was started first; it comes back under the same address. */
  first: Kept;
  /** Stops it for good. */
  stop(): Promise<void>;
}

const START_AGAIN_AFTER_MS = 500;

/**
 * Starts a server and keeps it running: if its process dies without being asked to, it is started again, as often as
 * necessary (the rest of a killed PostgreSQL may be in the way for a moment).
 * @param start starts it, each time under the same address
 * @throws the error of the first start
 */
export async function keepRunning<Kept extends Server>(
  name: string,
  start: () => Promise<Kept>,
  say: (line: string) => void = console.error,
): Promise<KeptServer<Kept>> {
  let isStopping = false;
  const first = await start();
  let server: Promise<Kept> = Promise.resolve(first);
  const watch = ({ process }: Kept): void => {
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (isStopping) return;
      say(`${name} stopped (${signal ?? `exit code ${code}`}) and is started again.`);
      server = again();
      server.catch(() => undefined);
    };
    if (process.exitCode !== null || process.signalCode !== null) onExit(process.exitCode, process.signalCode);
    else process.once('exit', onExit);
  };
  const again = async (): Promise<Kept> => {
    for (;;) {
      await new Promise((later) => setTimeout(later, START_AGAIN_AFTER_MS));
      if (isStopping) throw new Error(`${name} is not wanted any more`);
      const started = await start().catch((error: unknown) => {
        say(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`);
        return null;
      });
      if (started === null) continue;
      watch(started);
      return started;
    }
  };
  watch(first);
  const stop = async (): Promise<void> => {
    isStopping = true;
    const running = await server.catch(() => null);
    await running?.stop();
  };
  return { first, stop };
}
