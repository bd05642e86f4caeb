import { createServer, type AddressInfo } from 'node:net';
import { Aedes } from 'aedes';

/**
 * The yardstick of the own connection, run as a process of its own: a bare aedes, which accepts every client, keeps
 * everything in memory and records nothing. Prints its port; a line `<topic> <times> <payload>` on its standard input
 * is published that often.
 */
async function main(): Promise<void> {
  const broker = await Aedes.createBroker({ concurrency: 1_000 });
  const server = createServer(broker.handle);
  server.listen(0, '127.0.0.1', () => console.log(String((server.address() as AddressInfo).port)));
  let rest = '';
  process.stdin.on('data', (text: Buffer) => {
    const lines = (rest + text.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) void publish(broker, line);
  });
}

async function publish(broker: Aedes, line: string): Promise<void> {
  const [topic = '', times = '0', ...payload] = line.split(' ');
  for (let n = 0; n < Number(times); n++) {
    const packet = { cmd: 'publish', topic, payload: payload.join(' '), qos: 1, retain: false, dup: false } as const;
    await new Promise<void>((done) => broker.publish(packet, () => done()));
  }
}

void main();
