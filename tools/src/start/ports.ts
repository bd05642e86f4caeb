import { createServer } from 'node:net';
import { ConfigError, readVariable } from '@postrider/platform';
import { freePort } from '../embedded/free-port';

/** The variables that name a port of the start. */
type PortVariable =
  'PORT' | 'MQTT_PORT' | 'MQTT_WS_PORT' | 'MQTT_TLS_PORT' | 'SIMULATOR_PORT' | 'SIMULATOR_CONTROL_PORT';

/** A port that the start needs and that another program uses. */
export class PortTaken extends Error {
  constructor(port: number, purpose: string, variable: string) {
    super(
      `Port ${port} (${purpose}) is taken by another process. Stop that one, or choose another: ${variable}=<port> npm start`,
    );
  }
}

/**
 * Returns the port that `variable` names, or its default, after a check that nothing listens on it at the address of `HOST`. 0 picks
 * a free one.
 * @throws PortTaken, or ConfigError if the port is invalid or not allowed for this user, or the address is not of this machine
 */
export async function claimPort(variable: PortVariable, purpose: string, env = process.env): Promise<number> {
  const port = readVariable(variable, env);
  const host = readVariable('HOST', env);
  if (port === 0) return freePort(host);
  const server = createServer();
  await new Promise<void>((ready, fail) => {
    server.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE') fail(new PortTaken(port, purpose, variable));
      else if (code === 'EACCES') fail(new ConfigError(variable, 'a port that this user may listen on', String(port)));
      else fail(new ConfigError('HOST', `an address of this machine (${code})`, host));
    });
    server.listen(port, host, ready);
  });
  await new Promise((closed) => server.close(closed));
  return port;
}
