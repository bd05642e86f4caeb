import { createServer } from 'node:net';
import { ConfigError, readVariable } from '@postrider/platform';
import { freePort } from '../embedded/free-port';

/** The variables that name a port of the start. */
export type PortVariable = 'PORT' | 'MQTT_PORT' | 'MQTT_WS_PORT' | 'SIMULATOR_PORT' | 'SIMULATOR_CONTROL_PORT';

/** A port that the start needs and that another program uses. */
export class PortTaken extends Error {
  constructor(port: number, purpose: string, variable: string) {
    super(
      `Port ${port} (${purpose}) is taken by another process. Stop that one, or choose another: ${variable}=<port> npm start`,
    );
  }
}

/**
 * Returns the port that `variable` names, or its default, after a check that nothing listens on it. 0 picks a free one.
 * @throws PortTaken, or ConfigError if the port is invalid or not allowed for this user
 */
export async function claimPort(variable: PortVariable, purpose: string): Promise<number> {
  const port = readVariable(variable);
  if (port === 0) return freePort();
  const server = createServer();
  await new Promise<void>((ready, fail) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const isForbidden = code === 'EACCES';
      fail(
        isForbidden
          ? new ConfigError(variable, 'a port that this user may listen on', String(port))
          : new PortTaken(port, purpose, variable),
      );
    });
    server.listen(port, '127.0.0.1', ready);
  });
  await new Promise((closed) => server.close(closed));
  return port;
}
