import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runExamples } from '../testing/examples/run-examples';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestGateway } from '../testing/test-gateway';

/** A page is a hundred processes, one after the other: on a machine with forty other things to do, some minutes. Only ends what hangs. */
const TIMEOUT_MS = 1_800_000;
const DOCS = join(__dirname, '../../../../docs');

/** Text before the commands of a page that begins in the middle: the variables of docs/api.md. */
const VARIABLES = `\`\`\`sh
export BASE=http://127.0.0.1:3000
export ADMIN_TOKEN='<admin token>'
curl "$BASE/api/admin/apps" -H "Authorization: Bearer $ADMIN_TOKEN" -H 'content-type: application/json' -d '{ "id": "shop", "name": "Shop" }' > shop.json
export TOKEN=$(node -p "require('./shop.json').tokens.server")
\`\`\``;

describe('the examples of the documentation', () => {
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await startTestGateway({ allowPrivateEndpoints: true, promoWaitSeconds: 0 });
  });
  afterEach(() => gateway.close());

  it.each([
    ['api.md', ''],
    ['tutorial.md', ''],
    ['trackers.md', VARIABLES],
  ])(
    'run from top to bottom, and the gateway refuses none: %s',
    async (name, before) => {
      const page = `${before}\n${readFileSync(join(DOCS, name), 'utf8')}`;
      const { answers, commands } = await runExamples(page, { address: gateway.address, adminToken: TEST_ADMIN_TOKEN });
      expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
      expect(commands).toBeGreaterThan(1);
      expect(answers).toHaveLength(commands);
    },
    TIMEOUT_MS,
  );
});
