import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy on 127.0.0.1 that opens tunnels, to servers on this machine whatever their names. */
export interface ConnectProxy {
  url: string;
  /** The targets of its requests: `host:port`. */
  readonly asked: string[];
  /** From now on answers CONNECT with this status; 200: opens tunnels. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

/** Starts one. @param user `user:password` that it wants to be shown, if any */
export async function startConnectProxy(user?: string): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
  let status = 200;
  const server = createServer((_, response) => response.writeHead(400).end());
  server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  server.on('connect', ({ url = '', headers }, near: Socket) => {
    near.on('error', () => undefined);
    asked.push(url);
    const refusal = headers['proxy-authorization'] === wanted ? status : 407;
    if (refusal !== 200) {
      near.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    const far = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(near).pipe(far);
    });
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${user === undefined ? '' : `${user}@`}127.0.0.1:${port}`,
    asked,
    answerWith: (next) => void (status = next),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
