import { untilTrue } from '@postrider/testing';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { generate, type IPublishPacket, type Packet, parser } from 'mqtt-packet';
import type { TestDevice } from './test-edge';

/** A device that does only what a test tells it: it acknowledges nothing automatically, and can stop reading. */
export class RawDevice {
  readonly packets: Packet[] = [];

  private constructor(readonly socket: Socket) {
    const reader = parser({ protocolVersion: 4 });
    reader.on('packet', (packet) => this.packets.push(packet));
    socket.on('data', (bytes) => reader.parse(bytes));
    socket.on('error', () => undefined);
  }

  /** Resolves with the CONNACK's return code. */
  static async connect(
    port: number,
    { clientId, token }: TestDevice,
    settings: { clean?: boolean; keepalive?: number } = {},
  ): Promise<{ device: RawDevice; returnCode: number }> {
    const socket = connect(port, '127.0.0.1');
    const device = new RawDevice(socket);
    await once(socket, 'connect');
    const { clean = false, keepalive = 180 } = settings;
    const password = Buffer.from(token);
    const protocol = { protocolId: 'MQTT', protocolVersion: 4 } as const;
    socket.write(generate({ cmd: 'connect', ...protocol, clientId, clean, keepalive, username: token, password }));
    await untilTrue(() => device.packets.length > 0);
    const [connack] = device.packets;
    return { device, returnCode: connack?.cmd === 'connack' ? (connack.returnCode ?? -1) : -1 };
  }

  get published(): IPublishPacket[] {
    return this.packets.filter((packet) => packet.cmd === 'publish');
  }

  /** The ids of the messages that came. */
  get ids(): string[] {
    return this.published.map(({ payload }) => (JSON.parse(payload.toString()) as { id: string }).id);
  }

  async subscribe(topic: string): Promise<void> {
    this.socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos: 1 }] }));
    await untilTrue(() => this.packets.some(({ cmd }) => cmd === 'suback'));
  }

  /** Publishes an event with QoS 2. Resolves when the edge has accepted it. */
  async publish(
    topic: string,
    payload: object,
    { messageId, dup = false }: { messageId: number; dup?: boolean },
  ): Promise<void> {
    const accepted = (): number => this.packets.filter(({ cmd }) => cmd === 'pubrec').length;
    const before = accepted();
    const publish = { cmd: 'publish', topic, payload: JSON.stringify(payload), qos: 2, messageId, dup } as const;
    this.socket.write(generate({ ...publish, retain: false }));
    await untilTrue(() => accepted() > before);
  }

  /** Releases a publish of QoS 2. Resolves when the edge knows. */
  async release(messageId: number): Promise<void> {
    const released = (): boolean =>
      this.packets.some((packet) => packet.cmd === 'pubcomp' && packet.messageId === messageId);
    this.socket.write(generate({ cmd: 'pubrel', messageId }));
    await untilTrue(released);
  }

  acknowledge(messageId: number | undefined): void {
    this.socket.write(generate({ cmd: 'puback', messageId }));
  }
}
