import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ThrowAwayCertificate } from '@postrider/testing';

const CLIENT = readFileSync(require.resolve('chabokpush'));
const PAGE = '<!doctype html><meta charset="utf-8"><title>Shop</title><script src="/client.js"></script>';

/** The TLS front of the gateway in production. It also serves the page of a shop that uses the published client. */
interface FrontDoor {
  port: number;
  close(): Promise<void>;
}

/** @param shop the host whose page it serves; everything else goes to the gateway */
export async function startFrontDoor(
  gatewayUrl: string,
  shop: string,
  certificate: ThrowAwayCertificate,
): Promise<FrontDoor> {
  const server: Server = createServer(certificate, (incoming, answer) => {
    if (incoming.headers.host === shop) {
      const isScript = incoming.url === '/client.js';
      answer.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      answer.end(isScript ? CLIENT : PAGE);
      return;
    }
    const options = { method: incoming.method, headers: incoming.headers };
    const onward = request(new URL(incoming.url ?? '/', gatewayUrl), options, (back) => {
      answer.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
