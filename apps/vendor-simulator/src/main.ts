import { join } from 'node:path';
import { ConfigError, createLogger, flushLog, readVariable } from '@postrider/platform';
import { VendorSimulator } from './vendor-simulator';

/** Runs the simulator as a process, until it is told to stop; its folder is `simulator` in the data folder. */
async function main(): Promise<void> {
  const logger = createLogger('vendor-simulator', {
    logLevel: readVariable('LOG_LEVEL'),
    logFormat: readVariable('LOG_FORMAT'),
  });
  const simulator = new VendorSimulator({
    dataDir: join(readVariable('DATA_DIR'), 'simulator'),
    host: readVariable('HOST'),
    port: readVariable('SIMULATOR_PORT'),
    controlPort: readVariable('SIMULATOR_CONTROL_PORT'),
  });
  const { origin, controlOrigin, caFile } = await simulator.start();
  logger.info({ vendors: origin, inbox: controlOrigin, caFile }, 'process.started');
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'process.stopping');
    void flushLog(logger);
    void simulator.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** Returns one line that a person can act on. */
function complaint(error: unknown): string {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port ?? ''} is taken: choose others (SIMULATOR_PORT, SIMULATOR_CONTROL_PORT)`;
  return error instanceof ConfigError ? error.message : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${complaint(error)}\n`);
  process.exitCode = 1;
});
