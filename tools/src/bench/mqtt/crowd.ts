import { connect, type Socket } from 'node:net';
import { generate, parser } from 'mqtt-packet';

/** A member of a crowd. */
export interface CrowdMember {
  clientId: string;
  topic: string;
}

const CONNECTING_AT_ONCE = 200;

/**
 * Many devices in one process, as simple as possible: each connects, subscribes, and acknowledges its messages. Run as
 * a process of its own with `{ port, token, members }` on its standard input; prints `connected`, and then every 2 ms
 * how many messages came.
 */
async function main(): Promise<void> {
  const { port, token, members } = JSON.parse(await readInput()) as {
    port: number;
    token: string;
    members: CrowdMember[];
  };
  let received = 0;
  let told = 0;
  for (let from = 0; from < members.length; from += CONNECTING_AT_ONCE) {
    const some = members.slice(from, from + CONNECTING_AT_ONCE);
    await Promise.all(some.map((member) => join(port, token, member, () => received++)));
  }
  console.log('connected');
  setInterval(() => {
    if (received === told) return;
    told = received;
    console.log(String(told));
  }, 2);
}

function join(port: number, token: string, { clientId, topic }: CrowdMember, onMessage: () => void): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const password = Buffer.from(token);
  socket.write(
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId,
      clean: false,
      keepalive: 600,
      username: token,
      password,
    }),
  );
  return new Promise((ready, fail) => {
    socket.on('error', fail);
    listen(socket, topic, onMessage, ready, fail);
  });
}

function listen(
  socket: Socket,
  topic: string,
  onMessage: () => void,
  ready: () => void,
  fail: (error: Error) => void,
): void {
  const reader = parser({ protocolVersion: 4 });
  reader.on('packet', (packet) => {
    if (packet.cmd === 'connack') {
      if (packet.returnCode !== 0) fail(new Error(`Refused with ${packet.returnCode}`));
      socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos: 1 }] }));
    } else if (packet.cmd === 'suback') ready();
    else if (packet.cmd === 'publish') {
      onMessage();
      const id = packet.messageId ?? 0;
      if (packet.qos === 1) socket.write(Buffer.from([0x40, 2, id >> 8, id & 0xff]));
    }
  });
  socket.on('data', (bytes) => reader.parse(bytes));
}

async function readInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

void main();
