import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestGateway } from '../testing/test-gateway';
import { describeApi } from '../describe-api';
import { queryNamesOf } from './query-names';

interface Documented {
  content?: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }>;
}

interface Reference {
  $ref: string;
}

interface Answer extends Documented {
  headers?: Record<string, object>;
}

interface Operation {
  parameters?: { name: string; in: string }[];
  operationId?: string;
  requestBody?: Documented;
  responses: Record<string, Answer | Reference>;
  security?: object[];
  summary?: string;
  description?: string;
}

/** Routes that are not part of the API: pages, their files, and monitoring. */
const NO_API = /^\/(?:health|metrics|docs|guide|queues|panel|t)\b|^\/api\/openapi(?:-3\.0)?\.json$|^\/?\*$|^\/$/;

/** Headers that servers of any kind send, which say nothing about the API. */
const OF_EVERY_SERVER =
  /^(?:cache-control|connection|content-(?:length|type)|date|keep-alive|transfer-encoding|vary|x-content-type-options)$/;

describe('the API document', () => {
  let gateway: TestGateway;
  let document: {
    openapi: string;
    tags: { name: string; description?: string }[];
    paths: Record<string, Record<string, Operation>>;
    components: {
      schemas: Record<string, object> & { Error: { properties: { error: { required: string[] } } } };
      responses: Record<string, Answer>;
      headers: Record<string, object>;
    };
  };

  beforeAll(async () => {
    gateway = await startTestGateway({ publicDocs: true });
    document = (await gateway.request('GET', '/api/openapi.json')).body;
  });

  afterAll(() => gateway.close());

  const operations = (): [string, Operation][] =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
    );

  const shownExamples = (): { name: string; schema: object; example: unknown }[] => {
    const ofOperations = operations().flatMap(([name, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema = {}, examples = {} }) =>
        Object.entries(examples).map(([title, { value }]) => ({ name: `${name} ${title}`, schema, example: value })),
      ),
    );
    const ofSchemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => {
      const { examples = [] } = schema as { examples?: unknown[] };
      return examples.map((example) => ({ name, schema, example }));
    });
    return [...ofOperations, ...ofSchemas];
  };

  it('is OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.schemas.Error.properties.error.required).toEqual(['name', 'status', 'message']);
  });

  it('says of a parameter what OpenAPI has a word for, and the rest in its schema', () => {
    const known = [
      'name',
      'in',
      'description',
      'required',
      'deprecated',
      'style',
      'explode',
      'schema',
      'example',
      'examples',
    ];
    const stray = operations().flatMap(([name, { parameters = [] }]) =>
      parameters.flatMap((parameter) =>
        Object.keys(parameter)
          .filter((word) => !known.includes(word))
          .map((word) => `${name}: ${parameter.name} ${word}`),
      ),
    );
    expect(stray).toEqual([]);
  });

  it('has the query parameters whose spelling a gateway checks, and no other', () => {
    const inQueries = operations().flatMap(([, { parameters = [] }]) => parameters.filter((one) => one.in === 'query'));
    const names = new Set(['access_token', 'appId', ...inQueries.map(({ name }) => name)]);
    expect([...queryNamesOf(gateway.app)].sort()).toEqual([...names].sort());
  });

  it('says of an operation for the scope `server` alone nothing about what that scope covers', () => {
    const ofBackends = operations().filter(([, { description = '' }]) => description.includes('scope `server`'));
    expect(ofBackends).not.toEqual([]);
    expect(ofBackends.filter(([, { description = '' }]) => description.includes('covers'))).toEqual([]);
  });

  it('is the same without a gateway that runs', async () => {
    expect(JSON.parse(JSON.stringify(await describeApi()))).toEqual(document);
  });

  it('holds every route of the API, and no other', () => {
    const routes = gateway.app
      .getHttpAdapter()
      .getInstance()
      .printRoutes({ commonPrefix: false, includeHooks: false })
      .split('\n');
    expect(routes.length).toBeGreaterThan(20);
    const served = routesOf(routes).filter((route) => !NO_API.test(route.split(' ')[1] ?? ''));
    const documented = operations().map(([name]) => name.replaceAll(/\{(\w+)\}/g, ':$1'));
    expect(documented.sort()).toEqual(served.sort());
  });

  it('says of every operation what it does, what it takes, who may call it and how it fails', () => {
    for (const [name, operation] of operations()) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const documented = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect([name, documented.map((parameter) => parameter.name).sort()]).toEqual([name, inPath.sort()]);
      expect([name, operation.summary]).toEqual([name, expect.any(String)]);
      const ways = name.includes('/api/admin/') ? 1 : name.includes('/api/sms/status/') ? 0 : 3;
      expect([name, operation.security?.length]).toEqual([name, ways]);
      const always = [
        '400',
        '406',
        '429',
        '431',
        '500',
        '503',
        ...(name.startsWith('get ') ? [] : ['408', '413', '415']),
      ];
      expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(always)]);
      const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
      expect([name, success]).toEqual([name, expect.objectContaining({ content: expect.anything() })]);
    }
  });

  it('names the headers of an answer, and no other', async () => {
    const documentedOf = (operation: string, status: number): string[] => {
      const [method = '', path = ''] = operation.split(' ');
      const answer = document.paths[path]?.[method]?.responses[status];
      const named = answer !== undefined && '$ref' in answer ? answer.$ref.split('/').at(-1) : undefined;
      const { headers = {} } = named === undefined ? (answer as Answer) : (document.components.responses[named] ?? {});
      return Object.keys(headers).map((name) => name.toLowerCase());
    };
    const asked = async (operation: string, url: string, token = TEST_ADMIN_TOKEN): Promise<void> => {
      const { status, headers } = await gateway.request('GET', url, { headers: { 'x-access-token': token } });
      const given = Object.keys(headers).filter((name) => !OF_EVERY_SERVER.test(name));
      expect([operation, status, documentedOf(operation, status).sort()]).toEqual([operation, status, given.sort()]);
    };
    await gateway.application('shop');
    await asked('get /api/admin/apps', '/api/admin/apps');
    await asked('get /api/admin/apps', '/api/admin/apps', 'a-token-that-nobody-has');
    await asked('get /api/admin/apps/{id}', '/api/admin/apps/no-such-application');
    await asked('get /api/admin/apps/{id}/archive', '/api/admin/apps/shop/archive');
  });

  it('gives every operation an id of its own that names no controller', () => {
    const ids = operations().map(([, { operationId }]) => operationId ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    expect(ids.filter((id) => /controller/i.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['byQuery', 'toUsers', 'listMessages', 'createSegment']));
  });

  it('names every schema of a body and of an answer', () => {
    for (const [name, { requestBody, responses }] of operations()) {
      const answers = Object.values(responses).flatMap((response) => ('$ref' in response ? [] : [response]));
      for (const { content } of [requestBody ?? {}, ...answers]) {
        const { schema } = content?.['application/json'] ?? {};
        if (schema) expect([name, Object.keys(schema)]).toEqual([name, ['$ref']]);
      }
    }
    const text = JSON.stringify(document);
    const { schemas, responses } = document.components;
    for (const [, room, name = ''] of text.matchAll(/#\/components\/(schemas|responses)\/(\w+)/g)) {
      expect([name, name in (room === 'schemas' ? schemas : responses)]).toEqual([name, true]);
    }
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Error', 'InstallationResponse', 'NotificationRequest', 'SegmentResponse']),
    );
    expect(Object.keys(schemas).filter((name) => /Controller|\W/.test(name))).toEqual([]);
  });

  it('has no rule over several fields beside the fields, where generators of clients read it as a type', () => {
    const combined = Object.entries(document.components.schemas)
      .filter(([, schema]) => 'properties' in schema)
      .filter(([, schema]) => ['allOf', 'anyOf', 'oneOf'].some((word) => word in schema));
    expect(combined.map(([name]) => name)).toEqual([]);
    expect(JSON.stringify(document)).not.toContain(String.raw`\\/`);
  });

  it('says what each group of operations is about', () => {
    expect(document.tags.filter(({ description = '' }) => description.length < 20)).toEqual([]);
    expect(document.tags.length).toBeGreaterThan(10);
  });

  it('shows only examples that its own schemas take', () => {
    const ajv = addFormats(new Ajv2020({ strict: false }));
    ajv.addSchema({ $id: 'document', components: document.components });
    const refusals = shownExamples().flatMap(({ name, schema, example }) => {
      const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
      return ajv.validate(own, example) ? [] : [`${name}: ${ajv.errorsText()}`];
    });
    expect(shownExamples().length).toBeGreaterThan(40);
    expect(refusals).toEqual([]);
  });

  it('refuses what the service refuses of target and sendAt', () => {
    const ajv = addFormats(new Ajv2020({ strict: false }));
    ajv.addSchema({ $id: 'document', components: document.components });
    const takes = (fields: object): boolean =>
      ajv.validate(
        { $ref: 'document#/components/schemas/SendToGroupRequest' },
        { content: 'Hello', trackId: 'spring', target: { deviceType: 'ios' }, ...fields },
      );
    const circle = { lat: 52, lng: '5.1', radius: 100 };
    expect(takes({ target: { nearBy: circle, deviceType: ['ios', 'android'] } })).toBe(true);
    expect(takes({ target: { nearBy: [52, '5.1', 100] } })).toBe(true);
    expect(takes({ target: { location: circle } })).toBe(false);
    expect(takes({ target: { nearBy: 'Utrecht' } })).toBe(false);
    for (const sendAt of ['2026-12-01', '2026-12-01T09:00', '2026-12-01T09:00:00.5Z', '2026-12-01T09:00:00+01:00'])
      expect(takes({ sendAt })).toBe(true);
    for (const sendAt of ['tomorrow', '', '1.12.2026', '2026-12-01 09:00', '2026-12-01T24:00', '2026-12-01T09:00+0100'])
      expect(takes({ sendAt })).toBe(false);
  });

  describe('as OpenAPI 3.0', () => {
    interface Plain {
      openapi: string;
      paths: typeof document.paths;
      components: { schemas: Record<string, { properties: Record<string, object> }> };
    }
    let plain: Plain;
    let text: string;

    beforeAll(async () => {
      plain = (await gateway.request('GET', '/api/openapi-3.0.json')).body as Plain;
      text = JSON.stringify(plain);
    });

    it('has the same operations, for languages without unions and generators that know no 3.1', () => {
      const idsOf = ({ paths }: Pick<Plain, 'paths'>): (string | undefined)[] =>
        Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
      expect(plain.openapi).toBe('3.0.3');
      expect(idsOf(plain)).toEqual(idsOf(document));
      expect(text).not.toMatch(/"(?:oneOf|anyOf|const|not|if)":|"type":\[|"type":"null"/);
    });

    it('names every schema, and none as Go names the function that makes another', () => {
      const names = Object.keys(plain.components.schemas);
      const meant = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);
      expect(meant.filter((name) => !names.includes(name))).toEqual([]);
      expect(names.filter((name) => name.startsWith('New') && names.includes(name.slice('New'.length)))).toEqual([]);
    });

    it('has the body of a send as one object with the fields of both kinds', () => {
      const { properties } = plain.components.schemas.ToUsersBody ?? {};
      expect(properties).toMatchObject({
        user: { type: 'string' },
        users: { type: 'array', items: { type: 'string' } },
        useAsAlert: { type: 'boolean' },
      });
      expect(properties).not.toHaveProperty('dryRun');
    });
  });

  it('shows of a file that may be CSV or JSON lines an example of each', () => {
    const files = operations().flatMap(([name, { requestBody }]) => {
      const content = requestBody?.content ?? {};
      return 'text/csv' in content ? [{ name, csv: content['text/csv'], lines: content['application/x-ndjson'] }] : [];
    });
    const examplesOf = (media: { schema?: object } | undefined): string[] =>
      (media?.schema as { examples?: string[] } | undefined)?.examples ?? [];
    expect(files.map(({ name }) => name)).toEqual([
      'post /api/installations/import',
      'post /api/installations/bulk/tags',
    ]);
    for (const { csv, lines } of files) {
      expect(examplesOf(csv)).toEqual([expect.not.stringMatching(/^\{/)]);
      const [example = ''] = examplesOf(lines);
      for (const line of example.trim().split('\n')) expect(JSON.parse(line)).toEqual(expect.any(Object));
    }
  });

  it('can be read on a page that loads nothing from elsewhere', async () => {
    const page = await gateway.request('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const text = String(page.body);
    expect(text).not.toMatch(/https?:\/\//);
    expect(text).not.toMatch(/<script>/);
    for (const [, path] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect([path, (await gateway.request('GET', path ?? '')).status]).toEqual([path, 200]);
    }
  });
});

/** `method path` of every route, from Fastify's own tree. HEAD belongs to GET. */
function routesOf(tree: readonly string[]): string[] {
  const path: string[] = [];
  return tree.flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ├└─]*)(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') return [];
    path.length = indent.length / 4 - 1;
    path.push(part);
    const url = path.join('').replaceAll(/\/{2,}/g, '/');
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => `${method.toLowerCase()} ${url}`);
  });
}
