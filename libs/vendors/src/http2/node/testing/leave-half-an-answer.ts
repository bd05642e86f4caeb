import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as immediate, setTimeout as timeout } from 'node:timers/promises';
import { ERROR, FLAG, FRAME, SETTING } from '../../wire/frame';
import { frame, head, number, settingsFrame } from '../../wire/testing/played-server';
import { NodeConnection } from '../node-connection';

const ROUNDS = 10;
/** In how many turns of the event loop all connections must be collected. */
const TURNS = 100;
/** The server's socket takes only a part of it. */
const BODY = Buffer.alloc(10_000_000);
const LARGE = 0x7fff0000;
const WIDE_WINDOWS = Buffer.concat([
  settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, LARGE]]),
  frame(FRAME.WINDOW_UPDATE, 0, 0, number(LARGE)),
]);
const HALF_A_HEAD = head(1, '299', 0);
/** DATA inside a field block is an error of the connection. */
const INTERRUPTED = Buffer.concat([HALF_A_HEAD, frame(FRAME.DATA, 0, 1)]);
const GOAWAY = frame(FRAME.GOAWAY, 0, 0).subarray(3);

/** Both sides of a connection on which a request was sent. */
interface Stage {
  connection: NodeConnection;
  socket: Socket;
  server: Socket;
}

const WAYS: Record<string, (stage: Stage) => Promise<void>> = {
  'after an error of the server': async ({ connection, server }) => {
    server.write(INTERRUPTED);
    await arrival(server, GOAWAY);
    connection.destroy(null);
  },
  'while it sends': async ({ connection, socket, server }) => {
    server.pause().write(Buffer.concat([WIDE_WINDOWS, HALF_A_HEAD]));
    while (socket.bytesWritten < BODY.length) await immediate();
    // As a pool does it, from a timer: Node ends streams in the immediates behind it, and sockets only then.
    await timeout(0);
    connection.destroy(null);
  },
  'while it sends a request that was given up': async ({ connection, socket, server }) => {
    server.pause().write(Buffer.concat([WIDE_WINDOWS, HALF_A_HEAD]));
    while (socket.bytesWritten < BODY.length) await immediate();
    connection.reset(1, ERROR.CANCEL);
    await timeout(0);
    connection.destroy(null);
  },
};

/** Sends a request and leaves the connection. Only Node may hold it in memory then. */
async function leave(way: (stage: Stage) => Promise<void>): Promise<{ left: WeakRef<NodeConnection>; server: Socket }> {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const [[server]] = (await Promise.all([once(listening, 'connection'), once(socket, 'connect')])) as [
    [Socket],
    unknown,
  ];
  listening.close();
  const origin = { scheme: 'http', authority: 'vendor.test' };
  const listener = { onSettings: () => undefined, onGoAway: () => undefined, onClose: () => undefined };
  const connection = new NodeConnection(socket, origin, listener);
  const receiver = { onHead: () => undefined, onData: () => true, onEnd: () => undefined };
  connection.request({ ':method': 'POST', ':path': '/' }, BODY, receiver);
  server.on('error', () => undefined).write(settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 0]]));
  await arrival(server, frame(FRAME.SETTINGS, FLAG.ACK, 0));
  await way({ connection, socket, server });
  return { left: new WeakRef(connection), server };
}

async function arrival(socket: Socket, part: Buffer): Promise<void> {
  let seen = Buffer.alloc(0);
  const add = (chunk: Buffer): Buffer => (seen = Buffer.concat([seen, chunk]));
  socket.on('data', add);
  while (!seen.includes(part)) await once(socket, 'data');
  socket.off('data', add);
}

/** Collects garbage before anything else can happen, and when all is over. */
async function run(way: (stage: Stage) => Promise<void>): Promise<void> {
  const collect = globalThis.gc as () => void;
  const all: WeakRef<NodeConnection>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { left, server } = await leave(way);
    all.push(left);
    collect();
    if (!server.closed) await once(server.resume(), 'close');
    await immediate();
    collect();
  }
  for (let turn = 0; all.some((left) => left.deref() !== undefined); turn++) {
    if (turn === TURNS) throw new Error('A connection that was left stays in memory');
    await immediate();
    collect();
  }
}

void run(WAYS[process.argv[2] as string] as (stage: Stage) => Promise<void>);
