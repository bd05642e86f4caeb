import { connect } from 'node:net';
import { rows } from '@postrider/persistence';
import { startTestGateway, type TestGateway, untilReady } from '../testing/test-gateway';

describe('a caller who hangs up', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  it('in the middle of their body sends nothing, and the gateway goes on', async () => {
    const token = await gateway.application('shop', ['send']);
    const { port } = new URL(gateway.address);
    await new Promise<void>((closed) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /api/push/toUsers?access_token=${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
            `Content-Length: 100\r\n\r\n{"user":"ada","content":"Hel`,
          () => socket.destroy(),
        );
      });
      socket.on('close', () => closed());
    });
    expect(await untilReady(() => gateway.request('GET', '/health/ready'))).toMatchObject({ ready: true });
    expect(await rows(gateway.database, 'SELECT id FROM messages')).toEqual([]);
  });

  it('with something that is no HTTP is told so', async () => {
    const { port } = new URL(gateway.address);
    const answer = await new Promise<string>((read) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.end('HELO mail.example\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('close', () => read(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      error: { status: 400, code: 'INVALID_REQUEST' },
    });
  });
});
