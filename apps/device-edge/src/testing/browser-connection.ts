import { untilTrue } from '@postrider/testing';
import { once } from 'node:events';
import { generate, type Packet, parser } from 'mqtt-packet';
import { WebSocket } from 'ws';
import type { TestDevice } from './test-edge';

/** A connection like the published web client's, MQTT 3.1.1 over WebSocket, that does only what a test tells it. */
export class BrowserConnection {
  readonly packets: Packet[] = [];
  isClosed = false;

  private constructor(private readonly socket: WebSocket) {
    const reader = parser({ protocolVersion: 4 });
    reader.on('packet', (packet) => this.packets.push(packet));
    socket.on('message', (bytes: Buffer) => reader.parse(bytes));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  /** Resolves with the CONNACK's return code. */
  static async connect(
    port: number,
    { clientId, token }: Pick<TestDevice, 'clientId' | 'token'>,
  ): Promise<{ connection: BrowserConnection; returnCode: number | undefined }> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/mqtt`, 'mqtt');
    const connection = new BrowserConnection(socket);
    await once(socket, 'open');
    const [protocol, password] = [{ protocolId: 'MQTT', protocolVersion: 4 } as const, Buffer.from(token)];
    connection.send({ cmd: 'connect', ...protocol, clientId, clean: false, keepalive: 180, username: token, password });
    const connack = await connection.until('connack');
    return { connection, returnCode: connack.cmd === 'connack' ? connack.returnCode : undefined };
  }

  send(packet: Packet): void {
    this.socket.send(generate(packet));
  }

  /** The first packet of this kind, once it has come. */
  async until(cmd: Packet['cmd']): Promise<Packet> {
    await untilTrue(() => this.packets.some((packet) => packet.cmd === cmd));
    return this.packets.find((packet) => packet.cmd === cmd) as Packet;
  }

  async untilClosed(): Promise<void> {
    await untilTrue(() => this.isClosed);
  }

  /** True if the server answers a PINGREQ, after everything that it sent before. */
  async answersPing(): Promise<boolean> {
    this.send({ cmd: 'pingreq' });
    await untilTrue(() => this.isClosed || this.packets.some(({ cmd }) => cmd === 'pingresp'));
    return !this.isClosed;
  }

  close(): void {
    this.socket.terminate();
  }
}
