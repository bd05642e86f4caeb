import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Shutdown } from '@postrider/platform';
import type { FastifyInstance } from 'fastify';

/** Clients that send again and again are told within this time, by an answer, that their connection ends. */
const LAST_REQUESTS_MS = 1_000;

/**
 * Ends the connections of a gateway that stops. A request that meets the end of its connection is lost to its client. So
 * a process that stops goes on for up to a second while connections are open: every answer says `Connection: close`.
 * Then Fastify closes those that wait for a further request. Two more would stay open until their client or a time limit closes
 * them, and hold the process: one that has not sent anything yet (a browser or a proxy opens some in advance), and one whose
 * request was in hand when the server began to close.
 * @param shutdown a server that is closed without a stop of its process does not go on
 */
export function endConnections(fastify: FastifyInstance, shutdown: Pick<Shutdown, 'isShuttingDown'>): void {
  const open = new Set<Socket>();
  const inHand = new Set<ServerResponse>();
  let lastEnded = (): void => undefined;
  fastify.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) lastEnded();
    });
  });
  fastify.addHook('onRequest', (_request, reply, done) => {
    inHand.add(reply.raw);
    done();
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    inHand.delete(reply.raw);
    done();
  });
  const lastRequests = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      lastEnded = resolve;
      timer = setTimeout(resolve, LAST_REQUESTS_MS);
    });
    clearTimeout(timer);
  };
  fastify.addHook('preClose', async () => {
    for (const response of inHand) endWithAnswer(response);
    if (shutdown.isShuttingDown && open.size > 0) await lastRequests();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}

function endWithAnswer(response: ServerResponse): void {
  const { socket } = response.req;
  if (response.headersSent) response.once('close', () => socket.end());
  else response.setHeader('connection', 'close');
}
