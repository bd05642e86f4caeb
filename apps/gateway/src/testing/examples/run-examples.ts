import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BLOCK = /```sh\n([\s\S]*?)```/g;
const APNS = '"environment": "production"';
/** The `curl` of the shell: asks `curl.mjs`. */
const CURL = `#!/bin/sh
{ printf '%s\\0' "$PWD"; printf '%s\\0' "$@"; } > "$EXAMPLES/asked"
read -r code < "$EXAMPLES/code"
cat "$EXAMPLES/output"
cat "$EXAMPLES/complaint" >&2
exit "$code"
`;
const NOBODY = 'http://127.0.0.1:9';

/** A request that a command of a page made, and its answer. */
interface ExampleAnswer {
  path: string;
  status: number;
  text: string;
}

/**
 * Runs the commands of a page of the documentation from top to bottom in one shell, like a reader who pastes them. No
 * vendor is called: if a command names none, it gets an address at which nobody answers.
 *
 * @param page the text of the page
 * @param gateway replaces the address and the token on the page
 * @returns the answers in order, and the number of curl calls on the page
 */
export async function runExamples(
  page: string,
  { address, adminToken }: { address: string; adminToken: string },
): Promise<{ answers: ExampleAnswer[]; commands: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  try {
    const script = [...page.matchAll(BLOCK)]
      .map(([, block = '']) => block)
      .join('\n')
      .replace('http://127.0.0.1:3000', address)
      .replace('<admin token>', adminToken)
      .replaceAll(APNS, `${APNS}, "endpoint": "${NOBODY}"`);
    writeFileSync(join(folder, 'curl'), CURL, { mode: 0o755 });
    writeKeys(folder);
    const log = join(folder, 'answers');
    writeFileSync(log, '');
    await run('mkfifo', ['asked', 'code'], { cwd: folder });
    const here = `export PATH="${folder}:$PATH" EXAMPLES="${folder}"`;
    await runBesideCurl(folder, ['-e', '-c', `${here}\n${script}`]);
    const answers = readFileSync(log, 'utf8').trim().split('\n');
    return {
      answers: answers.map((line) => JSON.parse(line) as ExampleAnswer),
      commands: script.match(/^(?:.*\$\()?curl /gm)?.length ?? 0,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a shell, whose `curl` asks a process that runs as long. @throws if either of them fails */
async function runBesideCurl(folder: string, words: string[]): Promise<void> {
  const curl = spawn(process.execPath, [join(__dirname, 'curl.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const shell = run('sh', words, { cwd: folder });
  let complaint = '';
  curl.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  const ended = new Promise<never>((_, fail) => {
    // The shell would wait for its answer.
    curl.once('exit', () => {
      shell.child.kill();
      fail(new Error(`curl.mjs ended: ${complaint}`));
    });
  });
  try {
    await Promise.race([shell, ended]);
  } finally {
    curl.removeAllListeners('exit').kill();
  }
}

/** The files that a reader has from Firebase and Apple. */
function writeKeys(folder: string): void {
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const account = {
    type: 'service_account',
    project_id: 'shop-1',
    client_email: 'postrider@shop-1.iam.gserviceaccount.com',
    token_uri: `${NOBODY}/token`,
    private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem),
  };
  writeFileSync(join(folder, 'service-account.json'), JSON.stringify(account));
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem);
  writeFileSync(join(folder, 'AuthKey_ABC123DEFG.p8'), key);
}
