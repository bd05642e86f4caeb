import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Ends the connections of a gateway that stops. Fastify closes those that wait for a further request, and answers what
 * comes later with `Connection: close`. Two more would stay open until their client or a time limit closes them, and hold
 * the process: one that has not sent anything yet (a browser or a proxy opens some in advance), and one whose request was
 * in hand when the server closed.
 */
export function endConnections(fastify: FastifyInstance): void {
  const open = new Set<Socket>();
  const inHand = new Set<ServerResponse>();
  fastify.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  fastify.addHook('onRequest', (_request, reply, done) => {
    inHand.add(reply.raw);
    done();
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    inHand.delete(reply.raw);
    done();
  });
  fastify.addHook('preClose', (done) => {
    for (const response of inHand) endWithAnswer(response);
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

function endWithAnswer(response: ServerResponse): void {
  const { socket } = response.req;
  if (response.headersSent) response.once('close', () => socket.end());
  else response.setHeader('connection', 'close');
}
