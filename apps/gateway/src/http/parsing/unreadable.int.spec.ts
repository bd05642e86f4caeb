import { once } from 'node:events';
import { connect } from 'node:net';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway';

describe('what Node cannot read as a request', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  /** The bytes that come back until the connection ends. */
  async function answerTo(
    octets: string,
  ): Promise<{ line: string; body: { error: { status: number; code: string } } }> {
    const socket = connect(Number(new URL(gateway.address).port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => (text += data.toString('utf8'))).on('error', () => undefined);
    socket.write(octets);
    await once(socket, 'close');
    const [head = '', body = '{}'] = text.split('\r\n\r\n');
    return { line: head.split('\r\n')[0] ?? '', body: JSON.parse(body) as { error: { status: number; code: string } } };
  }

  it.each([
    [
      'headers that are too large',
      `GET /api/segments HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an address that is too long',
      `GET /api/segments?${'y'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['no HTTP', 'hello\r\n\r\n', 400, 'INVALID_REQUEST'],
  ])('is answered as an error: %s', async (_, octets, status, code) => {
    const { line, body } = await answerTo(octets);
    expect(line).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(body.error).toMatchObject({ status, code });
  });
});
