import { Readable } from 'node:stream';
import type { onSendHookHandler, RouteOptions } from 'fastify';

/**
 * Makes a route of HEAD end the stream that its GET would send. Fastify would read it to its end after the answer,
 * although nobody gets it: a whole export, with all of its statements. Call it while routes are added.
 */
export function endUnread(route: Pick<RouteOptions, 'method' | 'onSend'>): void {
  if (route.method === 'HEAD') route.onSend = [endStream, ...[route.onSend ?? []].flat()];
}

const endStream: onSendHookHandler = (_request, _reply, payload, done) => {
  if (payload instanceof Readable) payload.destroy();
  done(null, payload);
};
