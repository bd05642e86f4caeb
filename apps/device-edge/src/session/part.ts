import type { CloseCause } from '../protocol/reason-codes';
import type { Port } from './transport';
import type { Session } from './session';

/**
 * Lets go of the port of a session that is over. Of two connections of one device the later stays: a client that does not hear
 * why its connection is closed (before MQTT 5) would come back for its place, and the other after it, for ever.
 */
export function part(port: Port, cause: CloseCause, { agreement, identity }: Session): void {
  if (cause === 'too_slow') port.destroy();
  else if (cause === 'taken_over' && agreement?.version !== 5) port.rest(identity);
  else port.end();
}
