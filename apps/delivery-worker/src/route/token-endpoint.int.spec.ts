import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeviceId } from '@postrider/domain';
import { RoutesRepository, type VendorHealth } from '@postrider/persistence';
import { type SeenRequest, startHttp2Server, type TestHttp2Server } from '@postrider/testing';
import { createSender, CREDENTIAL_KINDS, type Sender } from '@postrider/vendors';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';
import type { TestWorker } from '../testing/test-worker';

const SECOND = 1_000;
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

describe('FCM whose token endpoint is in trouble', () => {
  const stage = usePageStage();
  let tokenServer: Server;
  let fcm: TestHttp2Server;
  let seen: SeenRequest[];
  let sender: Sender;
  let one: TestWorker;
  let asked: number;
  let devices: DeviceId[];
  let answerToken: (response: ServerResponse) => void;

  beforeEach(async () => {
    asked = 0;
    seen = [];
    tokenServer = createServer((request, response) => {
      asked++;
      request.resume().on('end', () => answerToken(response));
    });
    await new Promise<void>((resolve) => tokenServer.listen(0, '127.0.0.1', resolve));
    fcm = await startHttp2Server((request) => {
      seen.push(request);
      request.answer(200, { name: 'projects/p/messages/1' });
    });
    const { port } = tokenServer.address() as AddressInfo;
    const { settings, secrets } = CREDENTIAL_KINDS.fcm.stored({
      serviceAccount: {
        project_id: 'p',
        client_email: 'a@p.iam.gserviceaccount.com',
        private_key: privateKey,
        token_uri: `http://127.0.0.1:${port}/token`,
      },
      endpoint: fcm.origin,
    });
    sender = createSender('fcm', { ...settings, ...secrets }, { clock: stage.clock, allowPrivateEndpoints: true });
    one = stage.worker({ realSender: sender });
    devices = await stage.addDevices(1);
  });

  afterEach(async () => {
    tokenServer.closeAllConnections();
    await sender.close();
    await fcm.close();
    await new Promise((resolve) => tokenServer.close(resolve));
  });

  const health = async (): Promise<VendorHealth | undefined> => {
    await one.reports.publish();
    return (await new RoutesRepository(stage.database.dataSource).readHealth(APP_ID, stage.clock.now())).find(
      ({ vendor }) => vendor === 'fcm',
    );
  };
  const attempt = async (): Promise<unknown> => {
    const acceptedAt = stage.clock.now();
    return one.attempt('fcm', await stage.ledger.addMessage({ devices, acceptedAt, ttlSeconds: 86_400 }));
  };
  const answered =
    (status: number, body: string, type = 'application/json') =>
    (response: ServerResponse) =>
      void response.writeHead(status, { 'content-type': type }).end(body);
  const good = answered(200, JSON.stringify({ access_token: 'good', expires_in: 3_600 }));

  it.each([
    [
      '500',
      answered(500, '{"error_description":"Broken"}'),
      'TOKEN_HTTP_500',
      'The token endpoint answered 500: Broken',
    ],
    ['503', answered(503, ''), 'TOKEN_HTTP_503', 'The token endpoint answered 503: TOKEN_HTTP_503'],
    ['HTML', answered(200, '<html>Welcome</html>', 'text/html'), 'TOKEN_HTTP_200', 'The token endpoint answered 200'],
    ['{}', answered(200, '{}'), 'TOKEN_HTTP_200', 'The token endpoint answered 200'],
    [
      'a cut connection',
      (response: ServerResponse) => void response.destroy(),
      '',
      'The token endpoint did not answer',
    ],
  ])(
    'is failing within seconds when it answers %s, with the error and since when, until it answers',
    async (...row) => {
      const [, trouble, code, reason] = row;
      answerToken = trouble;
      const since = stage.clock.now();
      await attempt();
      stage.clock.advance(3 * SECOND);
      expect(await health()).toMatchObject({
        state: 'failing',
        since,
        lastError: {
          kind: 'retryable',
          code: expect.stringContaining(code),
          reason: expect.stringContaining(reason),
          at: since,
        },
        waitingDevices: 1,
      });
      // The endpoint is asked again and again, but there is one episode.
      await attempt();
      stage.clock.advance(60 * SECOND);
      expect(await health()).toMatchObject({ state: 'failing', since });
      expect([asked, seen]).toEqual([2, []]);
      answerToken = good;
      await attempt();
      expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer good' });
      expect(await health()).toMatchObject({ state: 'ok' });
    },
  );

  it('is failing within seconds when it never answers, while the call is still under way', async () => {
    const asking = new Promise<void>((resolve) => {
      answerToken = () => resolve();
    });
    const since = stage.clock.now();
    const end = attempt();
    await asking;
    stage.clock.advance(4 * SECOND);
    expect(await health()).toMatchObject({
      state: 'failing',
      since,
      lastError: { code: 'NO_ANSWER', reason: 'Nothing was answered for 4 s' },
    });
    tokenServer.closeAllConnections();
    await end;
    expect(await health()).toMatchObject({ state: 'failing', since, waitingDevices: 1 });
    expect(seen).toEqual([]);
  });
});
