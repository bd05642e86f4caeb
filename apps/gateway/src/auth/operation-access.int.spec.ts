import { randomUUID } from 'node:crypto';
import { SCOPES } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { OPERATION_ACCESS } from '../testing/operation-access';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

interface Documented {
  security: Record<string, unknown>[];
  'x-required-scopes'?: string[];
}

/** The decision about a call: refused without a valid token, refused for its scopes, or let in. */
type Verdict = 'unauthorized' | 'forbidden' | 'let in';

interface Credential {
  headers: Record<string, string>;
  query?: string;
  base?: string;
  /** Who the holder is: nobody, the operator, or a token with these scopes. */
  holder: 'nobody' | 'operator' | readonly string[];
}

describe('every operation, with every kind of credential', () => {
  let gateway: TestGateway;
  let operations: Map<string, Documented>;
  let credentials: Map<string, Credential>;

  beforeAll(async () => {
    gateway = await startTestGateway({ trustedProxies: 1, requestsPerSecond: 0, publicDocs: true });
    const { paths } = (await gateway.request('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, Documented>>;
    };
    operations = new Map(
      Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
      ),
    );
    credentials = await makeCredentials();
  });

  afterAll(() => gateway.close());

  async function makeCredentials(): Promise<Map<string, Credential>> {
    const server = await gateway.application('shop', ['server']);
    const foreign = await gateway.application('bank', ['server']);
    const revoked = await gateway.token('shop', ['server']);
    const revoke = `UPDATE tokens SET revoked_at = now() WHERE token_hash = sha256($1::bytea)`;
    await rows(gateway.database, revoke, [revoked]);
    const host = new URL(gateway.address).host;
    const panel = { host, 'x-postrider-panel': '1' };
    const cookieOf = async (token: string): Promise<string> => {
      const answer = await gateway.request('POST', '/panel/session', { body: { token }, headers: panel });
      return String(answer.headers['set-cookie']).split(';')[0] ?? '';
    };
    const reader = await gateway.token('shop', ['read']);
    const [operatorCookie, readerCookie] = [await cookieOf(TEST_ADMIN_TOKEN), await cookieOf(reader)];
    const shown = (token: string): Record<string, string> => ({ 'x-access-token': token });
    const made = new Map<string, Credential>([
      ['none', { headers: {}, holder: 'nobody' }],
      ['unknown', { headers: shown('pr_unknown'), holder: 'nobody' }],
      ['revoked', { headers: shown(revoked), holder: 'nobody' }],
      ['two tokens', { headers: shown(server), query: `access_token=${foreign}`, holder: 'nobody' }],
      ["a foreign application's", { headers: shown(foreign), base: '/apps/shop', holder: 'nobody' }],
      ["the admin token's beginning", { headers: shown(TEST_ADMIN_TOKEN.slice(0, -1)), holder: 'nobody' }],
      ['the admin token as basic', { headers: { authorization: `Basic ${TEST_ADMIN_TOKEN}` }, holder: 'nobody' }],
      [
        'the admin token',
        { headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` }, query: 'appId=shop', holder: 'operator' },
      ],
      [
        "the operator's cookie",
        { headers: { ...panel, cookie: operatorCookie }, query: 'appId=shop', holder: 'operator' },
      ],
      [
        "the operator's cookie without the header",
        { headers: { host, cookie: operatorCookie }, query: 'appId=shop', holder: 'nobody' },
      ],
      [
        "the operator's cookie from another site",
        {
          headers: { ...panel, cookie: operatorCookie, origin: 'https://evil.example' },
          query: 'appId=shop',
          holder: 'nobody',
        },
      ],
      ["a reader's cookie", { headers: { ...panel, cookie: readerCookie }, holder: ['read'] }],
      ["a reader's cookie without the header", { headers: { host, cookie: readerCookie }, holder: 'nobody' }],
      [
        "a reader's cookie at another application",
        { headers: { ...panel, cookie: readerCookie }, base: '/apps/bank', holder: 'nobody' },
      ],
      ['a token without scopes', { headers: shown(await gateway.token('shop', [])), holder: [] }],
    ]);
    for (const scope of SCOPES) {
      made.set(scope, { headers: shown(await gateway.token('shop', [scope])), holder: [scope] });
    }
    return made;
  }

  let addresses = 0;

  /**
   * Wrong tokens are counted by address, so every request comes from another one. Ids are random: nothing is found or
   * changed.
   */
  function call(name: string, { headers, query, base = '' }: Credential): Promise<TestAnswer> {
    const [method = '', path = ''] = name.split(' ');
    const address = `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses++ & 255}`;
    return gateway.request(method, `${base}${fill(path)}${query === undefined ? '' : `?${query}`}`, {
      headers: { ...headers, 'x-forwarded-for': address },
    });
  }

  it('has a line for every operation, and none for what is gone', () => {
    expect([...operations.keys()].sort()).toEqual(Object.keys(OPERATION_ACCESS).sort());
  });

  it('is documented with whom it lets in', () => {
    for (const [name, { security, 'x-required-scopes': scopes }] of operations) {
      const ways = security.flatMap((way) => Object.keys(way));
      const said = scopes?.join(' | ') ?? (ways.includes('operator') ? 'operator' : 'public');
      expect([name, said, ways]).toEqual([name, OPERATION_ACCESS[name], WAYS[said] ?? ['query', 'header', 'bearer']]);
    }
  });

  it('lets in whom the table names, and nobody else', async () => {
    for (const [name, access] of Object.entries(OPERATION_ACCESS)) {
      if (access === 'public') continue;
      for (const [kind, credential] of credentials) {
        const answer = await call(name, credential);
        expect([name, kind, verdictOf(answer)]).toEqual([name, kind, expected(access, credential.holder)]);
        expect([name, kind, answer.status < 500]).toEqual([name, kind, true]);
      }
    }
  });

  it('asks for another proof where no token counts, whatever token is shown', async () => {
    for (const [name, access] of Object.entries(OPERATION_ACCESS)) {
      if (access !== 'public') continue;
      for (const [kind, { headers }] of credentials) {
        const { status } = await call(name, { headers, holder: 'nobody' });
        expect([name, kind, status === 403 || status === 404]).toEqual([name, kind, true]);
      }
    }
  });
});

const WAYS: Record<string, string[]> = { operator: ['operator'], public: [] };

function expected(access: string, holder: Credential['holder']): Verdict {
  if (holder === 'operator') return 'let in';
  if (holder === 'nobody' || access === 'operator') return 'unauthorized';
  return holder.includes('server') || access.split(' | ').some((scope) => holder.includes(scope))
    ? 'let in'
    : 'forbidden';
}

/**
 * Only `Authorization` answers 403 with a reason about scopes. Any other 403 comes from a handler, which the call has
 * reached.
 */
function verdictOf({ status, body }: TestAnswer): Verdict {
  if (status === 401) return 'unauthorized';
  const { message = '' } = (body as { error?: { message: string } }).error ?? {};
  return status === 403 && message.startsWith('This call needs a token with the scope') ? 'forbidden' : 'let in';
}

/** A path with ids that do not exist. */
function fill(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'channel' ? 'nowhere' : name === 'vendor' ? 'fcm' : randomUUID(),
  );
}
