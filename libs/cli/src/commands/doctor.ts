import { PostriderError, reasonOfNoAnswer } from '@postrider/server';
import type { Command } from 'commander';
import type { Context } from '../context';
import type { Runner } from '../runner';
import { type Profile, rightsProblem } from '../settings/profiles';
import { CommandFailure, EXIT } from '../terminal/failure';
import { plain } from '../terminal/output';
import { checkVendors } from './administration';

/** The result of one examination. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  message: string;
}

/** The gateway's health report. */
interface Health {
  ready: boolean;
  checks?: Record<string, { ok: boolean; critical: boolean; durationMs: number; error?: string | undefined }>;
}

/** Webhooks are refused beyond 300 seconds, and vendors refuse tokens with wrong times; a second of it is the header's own. */
const CLOCK_WARNING_SECONDS = 30;
const CLOCK_FAILURE_SECONDS = 300;
const TIMEOUT_MS = 10_000;

const SIGNS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ', skipped: 'skipped' };

/** `postrider doctor`. */
export function addDoctor(program: Command, run: Runner): void {
  program
    .command('doctor')
    .description(
      'Check the gateway, its database and Redis, the workers and device edges, the clock, the tokens and the vendors, and report problems',
    )
    .action(
      run(async (context) => {
        const findings = await examine(context);
        const lines = findings.map(({ name, state, message }) => `${SIGNS[state]}  ${name}: ${plain(message)}`);
        context.output.result(findings, lines);
        const failed = findings.filter(({ state }) => state === 'failed');
        if (failed.length > 0)
          throw new CommandFailure(`${failed.length} of ${findings.length} checks failed`, EXIT.notInOrder);
      }),
    );
}

/** Looks at everything that the caller's tokens let it see. What cannot be looked at says why. */
async function examine(context: Context): Promise<Finding[]> {
  const problem = await rightsProblem(context.environment.profilesFile);
  const profiles: Finding =
    problem === null
      ? ok('profiles', 'nobody else can read them')
      : { name: 'profiles', state: 'failed', message: problem };
  // A file that others can read is not used, so the command cannot continue.
  if (problem !== null) return [profiles];
  const access = await context.access();
  const gateway = await examineGateway(access, context.signal);
  if (gateway.some(({ state, name }) => state === 'failed' && name === 'gateway')) return [profiles, ...gateway];
  // Everything else is in the database: to ask for it would only repeat, after a minute, that it is away.
  const isAway = gateway.some(({ state, name }) => state === 'failed' && ['postgres', 'services'].includes(name));
  if (isAway) return [profiles, ...gateway, skipped('tokens'), skipped('vendors')];
  return [profiles, ...gateway, ...(await examineTokens(context, access)), ...(await examineVendors(context, access))];
}

async function examineGateway({ url, adminToken }: Profile & { url: string }, signal: AbortSignal): Promise<Finding[]> {
  const base = url.replace(/\/+$/, '');
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(base + path, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeLimit()]),
    });
  try {
    const startedAt = performance.now();
    const live = await ask('/health/live');
    const tookMs = Math.round(performance.now() - startedAt);
    const { status } = (await live.json().catch(() => ({}))) as { status?: string };
    if (status !== 'live')
      return [failed('gateway', `${url} answers ${live.status}, and is not a gateway of Postrider`)];
    const shown =
      adminToken === undefined ? null : await ask('/health/ready', { authorization: `Bearer ${adminToken}` });
    // A token that is not the operator's is a finding of its own.
    const ready = shown === null || [401, 429].includes(shown.status) ? await ask('/health/ready') : shown;
    const health = healthFindings((await ready.json()) as Health);
    return [ok('gateway', `${url} answers within ${tookMs} ms`), clockFinding(live.headers.get('date')), ...health];
  } catch (error) {
    signal.throwIfAborted();
    return [failed('gateway', `${url} does not answer: ${reasonOfNoAnswer(error)}`)];
  }
}

/**
 * Aborts after `TIMEOUT_MS`. The garbage collector of Node.js 20 takes `AbortSignal.timeout` out of `AbortSignal.any`, and
 * the request never ends.
 */
function timeLimit(): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(new Error(`no answer within ${TIMEOUT_MS / 1_000} seconds`)), TIMEOUT_MS).unref();
  return limit.signal;
}

/** @param date the header `Date` of an answer that has just come */
function clockFinding(date: string | null): Finding {
  const at = Date.parse(date ?? '');
  if (Number.isNaN(at)) return { name: 'time', state: 'skipped', message: 'the gateway does not say its time' };
  const seconds = Math.round(Math.abs(Date.now() - at) / 1_000);
  if (seconds <= CLOCK_WARNING_SECONDS) return ok('time', 'the gateway and this machine have the same time');
  const message = `the gateway and this machine are ${seconds} seconds apart: one of the clocks is wrong`;
  return { name: 'time', state: seconds > CLOCK_FAILURE_SECONDS ? 'failed' : 'warning', message };
}

/** What it means that a check succeeds, where it is not that something answers. */
const GOOD: Readonly<Record<string, string>> = {
  lanes: 'delivery workers take both lanes',
  'audience-worker': 'an audience worker was heard within half a minute',
  'promo-worker': 'a promo worker was heard within half a minute',
  'device-edge': 'a device edge was heard within half a minute, or no device uses a connection',
  schema: 'the migrations of this version were run',
  clock: 'the gateway follows the time of PostgreSQL',
  disk: 'PostgreSQL refused the gateway no write in the last minute because its disk is full',
  eviction: 'Redis deletes no jobs when its memory is full, or does not say what it does',
};

/** The checks whose failure is a warning: messages are sent, and what these processes do may not be needed. */
const WARNINGS: ReadonlySet<string> = new Set(['promo-worker', 'device-edge', 'eviction']);

function healthFindings({ ready, checks }: Health): Finding[] {
  if (checks === undefined) {
    const message = 'the gateway shows the state of its database and Redis only to the operator; give --admin-token';
    return [ready ? { name: 'services', state: 'skipped', message } : failed('services', `not ready; ${message}`)];
  }
  return Object.entries(checks).map(([name, { ok: isOk, critical, durationMs, error = 'does not answer' }]) => {
    if (isOk) return ok(name, GOOD[name] ?? `answers within ${durationMs} ms`);
    if (WARNINGS.has(name)) return { name, state: 'warning', message: error };
    // A gateway without Redis or workers still accepts, but nobody is sent anything.
    return failed(
      name,
      critical || name === 'disk' ? error : `${error}; the gateway accepts messages, but they may wait`,
    );
  });
}

async function examineTokens(context: Context, access: Profile): Promise<Finding[]> {
  const { signal } = context;
  const { adminToken, token, app } = access;
  const findings: Finding[] = [];
  if (adminToken !== undefined) {
    const apps = async (): Promise<string> => {
      const { length } = await (await context.operator()).listApplications({ signal });
      return length === 1 ? '1 application' : `${length} applications`;
    };
    findings.push(await attempt('admin token', signal, apps));
  }
  if (token !== undefined || (adminToken !== undefined && app !== undefined)) {
    findings.push(...(await examineApplication(context, access)));
  }
  if (findings.length === 0)
    findings.push({ name: 'tokens', state: 'skipped', message: 'there is no token to look at' });
  return findings;
}

/** Looks at the application of the token, or at the one that the operator names. */
async function examineApplication(context: Context, { token, app }: Profile): Promise<Finding[]> {
  const { signal } = context;
  try {
    const { attention } = await (await context.application()).getOverview({}, { signal });
    const problems = attention.map(({ kind, severity, message }): Finding => {
      return { name: `application (${kind})`, state: severity === 'error' ? 'failed' : 'warning', message };
    });
    return token === undefined ? problems : [ok('token', 'is taken'), ...problems];
  } catch (error) {
    signal.throwIfAborted();
    if (app !== undefined && isUnknown(error)) return [unknownApplication(app)];
    return [tokenFinding(error, token === undefined ? 'application' : 'token')];
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof PostriderError && error.status === 404;
}

function unknownApplication(app: string): Finding {
  return failed('application', `there is no application ${app}; \`postrider apps list\` shows all`);
}

/** @param name of what the application was asked by: its token, or that of the operator */
function tokenFinding(error: unknown, name: string): Finding {
  const status = error instanceof PostriderError ? error.status : 0;
  // A token for sending or for devices does its own work.
  if (status === 403)
    return ok(name, 'is accepted; it does not have the scope read, so the application itself was not checked');
  return failed(name, (error as Error).message);
}

async function examineVendors(context: Context, { adminToken, app }: Profile): Promise<Finding[]> {
  if (adminToken === undefined)
    return [{ name: 'vendors', state: 'skipped', message: 'only the operator can check credentials' }];
  try {
    const postrider = await context.operator();
    const appIds =
      app === undefined ? (await postrider.listApplications({ signal: context.signal })).map(({ id }) => id) : [app];
    const findings: Finding[] = [];
    for (const appId of appIds) findings.push(...(await examineVendorsOf(context, appId)));
    return findings;
  } catch (error) {
    context.signal.throwIfAborted();
    // That the application does not exist is a finding already.
    if (app !== undefined && isUnknown(error))
      return [{ ...skipped('vendors'), message: `there is no application ${app}` }];
    return [failed('vendors', (error as Error).message)];
  }
}

async function examineVendorsOf(context: Context, appId: string): Promise<Finding[]> {
  const checked = await checkVendors(context, appId);
  if (checked.length === 0)
    return [{ name: `vendors of ${appId}`, state: 'warning', message: 'it has no credentials of any vendor' }];
  const { vendors } = await (await context.operator()).getVendorsHealth(appId, { signal: context.signal });
  return checked.map(({ vendor, ok: isOk, code, reason }) => {
    const name = `${vendor} of ${appId}`;
    if (!isOk) return failed(name, [code, reason].filter(Boolean).join(': '));
    const health = vendors.find((found) => found.vendor === vendor);
    if (health?.state === 'open' || health?.state === 'half-open') {
      const why = health.breaker?.reason ?? 'it does not work';
      return failed(name, `is held (${why}); ${health.waitingDevices} devices wait`);
    }
    if (health?.quarantine)
      return { name, state: 'warning', message: 'calls unusually many tokens dead; they are in quarantine' };
    return ok(name, 'the credentials work');
  });
}

async function attempt(name: string, signal: AbortSignal, look: () => Promise<string>): Promise<Finding> {
  try {
    return ok(name, await look());
  } catch (error) {
    signal.throwIfAborted();
    return failed(name, (error as Error).message);
  }
}

function ok(name: string, message: string): Finding {
  return { name, state: 'ok', message };
}

function skipped(name: string): Finding {
  return { name, state: 'skipped', message: 'nothing can be said while the gateway is not ready' };
}

function failed(name: string, message: string): Finding {
  return { name, state: 'failed', message };
}
