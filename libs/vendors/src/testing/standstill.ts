import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { holdTimeouts } from './held-timeouts';

/** The server has a thread of its own, so that it answers while the thread of the test stands still. */
const SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData: state } = require('node:worker_threads');
createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    parentPort.postMessage('asked');
    Atomics.wait(state, 0, 0);
    socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok', () => Atomics.store(state, 0, 2));
  });
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

const [STANDS_STILL, IS_ANSWERED] = [1, 2];

/**
 * Sends a request to a server of its own, and stands still as soon as the server has it: until the answer is in the socket, and
 * the deadline is over.
 *
 * @param send sends to this port of 127.0.0.1
 * @param deadlineMs how long the deadline is, which passes here and only here
 */
export async function standStillUntilAnswered<Result>(
  send: (port: number) => Promise<Result>,
  deadlineMs: number,
): Promise<Result> {
  const deadline = holdTimeouts(deadlineMs);
  const state = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(SERVER, { eval: true, workerData: state });
  try {
    const [port] = (await once(server, 'message')) as [number];
    const asked = once(server, 'message');
    const result = send(port);
    await asked;
    await deadline.pass(() => {
      Atomics.store(state, 0, STANDS_STILL);
      Atomics.notify(state, 0);
      while (Atomics.load(state, 0) !== IS_ANSWERED);
    });
    return await result;
  } finally {
    await server.terminate();
  }
}
