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

/** The user that the questions ask about, with a device. */
const USER = `\`\`\`sh
curl "$BASE/api/installations" -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{ "userId": "ada", "deviceType": "android", "deviceToken": "token-from-fcm", "clientVersion": "2.4.0" }'
\`\`\``;

/** The files that the pages about other systems send: of each a device or two. */
const FOREIGN = `\`\`\`sh
printf 'identifier,device_type,external_user_id,tags\\nfX2k0a1b2c3d4e5f6a7b8c9d,1,ada,"{""plan"":""gold""}"\\n' | gzip > users.csv.gz
printf 'fX2k0a1b2c3d4e5f6a7b8c9e,ada\\n' > devices.csv
cp devices.csv tokens.csv
echo '{"_id":"AbCdEf1234","deviceType":"android","deviceToken":"fX2k0a1b2c3d4e5f6a7b8c9f","_p_user":"_User$Zx81"}' > installations.json
psql() { :; }
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
    ['faq.md', VARIABLES + USER],
    ['web-push.md', VARIABLES],
    ['coming-from/fcm.md', VARIABLES + FOREIGN],
    ['coming-from/novu.md', VARIABLES + FOREIGN],
    ['coming-from/onesignal.md', VARIABLES + FOREIGN],
    ['coming-from/parse-server.md', VARIABLES + FOREIGN],
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
