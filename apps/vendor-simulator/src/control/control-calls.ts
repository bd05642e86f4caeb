import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { parseFaultRules } from '../faults/fault-rule.shape';
import { parseSettings } from '../settings/settings';
import { parsePhones, parseTap } from '../phones/phones.shape';
import { flag, object, text, whole } from '../shape/shape';
import { violationsOf } from '../shape/violations';
import { VENDOR_API_NAMES, type VendorApiName } from '../vendors/vendor-api';
import type { Controls } from './controls';
import { renderCards } from './page/cards';
import { PAGE_HEADERS, renderPage } from './page/page';

/** The answer of a control call. */
export interface ControlAnswer {
  status: number;
  headers?: OutgoingHttpHeaders;
  body?: string | Readable;
}

/** One call of the control interface. */
type ControlCall = (
  controls: Controls,
  query: URLSearchParams,
  body: unknown,
) => ControlAnswer | Promise<ControlAnswer>;

const MOST_SHOWN = 10_000;
const CARDS_ON_PAGE = 60;
const MOST_SUBSCRIPTIONS = 100_000;

/** Every call of the control interface: path, then verb. */
export const CONTROL_CALLS: ReadonlyMap<string, Partial<Record<string, ControlCall>>> = new Map(
  Object.entries<Partial<Record<string, ControlCall>>>({
    '/': { GET: (controls) => ({ status: 200, headers: PAGE_HEADERS, body: renderPage(controls, CARDS_ON_PAGE) }) },
    '/cards': { GET: showCards },
    '/inbox': { GET: readInbox, DELETE: clearInbox },
    '/stats': { GET: (controls) => ok(controls.stats()) },
    '/tokens': { GET: readTokens },
    '/faults': { GET: (controls) => ok(controls.faults()), PUT: putFaults, DELETE: clearFaults },
    '/faults/switches': { GET: (controls) => ok(controls.switches()), PUT: switchFault },
    '/phones': { GET: (controls) => ok(controls.phones()), PUT: putPhones },
    '/taps': { PUT: tapMessage },
    '/settings': { GET: (controls) => ok(controls.settings), PUT: putSettings },
    '/control/webpush/subscriptions': { POST: makeSubscriptions },
    '/health/live': { GET: () => ok({ status: 'ok' }) },
    '/health/ready': { GET: () => ok({ status: 'ok' }) },
  }),
);

/** The cards that a page which has seen up to `after` lacks. */
function showCards(controls: Controls, query: URLSearchParams): ControlAnswer {
  const search = query.get('search') ?? '';
  const messages = controls.messages({ afterId: Number(query.get('after') ?? 0) || 0, search, limit: CARDS_ON_PAGE });
  const { generation, accepted } = controls;
  return ok({ generation, accepted, lastId: messages[0]?.id, html: renderCards(messages) });
}

function readInbox(controls: Controls, query: URLSearchParams): ControlAnswer {
  const limit = Number(query.get('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_SHOWN) return bad(`limit must be from 1 to ${MOST_SHOWN}`);
  const afterId = Number(query.get('after') ?? 0);
  if (!Number.isSafeInteger(afterId) || afterId < 0) return bad('after must be the id of a message');
  const asked = ['vendor', 'token', 'search'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  return ok(controls.messages({ limit, afterId, ...(Object.fromEntries(asked) as object) }));
}

function clearInbox(controls: Controls): ControlAnswer {
  controls.clearInbox();
  return { status: 204 };
}

/** One line per counted token, `[token, times]`: read line by line, since there may be millions. */
function readTokens(controls: Controls, query: URLSearchParams): ControlAnswer {
  const vendor = query.get('vendor');
  if (!isVendorApiName(vendor)) return bad(`vendor must be one of ${VENDOR_API_NAMES.join(', ')}`);
  const least = Number(query.get('least') ?? 1) || 1;
  const lines = Readable.from(tokenLines(controls.tokens(vendor), least));
  return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, body: lines };
}

const LINES_A_CHUNK = 1_000;

function* tokenLines(tokens: Iterable<[string, number]>, least: number): Generator<string> {
  let lines: string[] = [];
  for (const entry of tokens) {
    if (entry[1] < least) continue;
    lines.push(`${JSON.stringify(entry)}\n`);
    if (lines.length < LINES_A_CHUNK) continue;
    yield lines.join('');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('');
}

function putFaults(controls: Controls, _query: URLSearchParams, body: unknown): ControlAnswer {
  const read = parseFaultRules(body);
  if ('problems' in read) return bad(...read.problems);
  controls.setFaults(read.rules);
  return ok(controls.faults());
}

function clearFaults(controls: Controls): ControlAnswer {
  controls.setFaults([]);
  return { status: 204 };
}

const SWITCH = object({ name: text(), on: flag }, ['name', 'on']);

function switchFault(controls: Controls, _query: URLSearchParams, body: unknown): ControlAnswer {
  if (violationsOf(SWITCH, body, '').length > 0) return bad('expected { "name", "on" }');
  const { name, on } = body as { name: string; on: boolean };
  return controls.switchFault(name, on) ? ok(controls.switches()) : bad(`there is no switch ${JSON.stringify(name)}`);
}

function putPhones(controls: Controls, _query: URLSearchParams, body: unknown): ControlAnswer {
  const read = parsePhones(body);
  if ('problem' in read) return bad(read.problem);
  controls.setPhones(read.setup);
  return ok(controls.phones());
}

/** Reports what a person did with a message: the answer shows the gateway's answer to the phone's report. */
async function tapMessage(controls: Controls, _query: URLSearchParams, body: unknown): Promise<ControlAnswer> {
  const read = parseTap(body);
  if ('problem' in read) return bad(read.problem);
  const status = await controls.tap(read.tap);
  return status === null ? bad('no phone can report about this message') : ok({ status });
}

function putSettings(controls: Controls, _query: URLSearchParams, body: unknown): ControlAnswer {
  const read = parseSettings(body);
  if ('problem' in read) return bad(read.problem);
  controls.configure(read.settings);
  return ok(controls.settings);
}

const SUBSCRIPTION_REQUEST = object({
  applicationServerKey: text(/^[\w-]{87}=?$/, 'an uncompressed P-256 point, base64url'),
  prefix: text(/^[\w-]{0,32}$/, '32 characters of base64url at most'),
  count: whole(1, MOST_SUBSCRIPTIONS),
});

/** Makes one subscription, or a list of them if `count` is given. */
function makeSubscriptions(controls: Controls, _query: URLSearchParams, body: unknown = {}): ControlAnswer {
  const [violation] = violationsOf(SUBSCRIPTION_REQUEST, body, '');
  if (violation !== undefined)
    return bad(`${violation.name ?? violation.field}: ${violation.expected ?? violation.kind}`);
  const wish = body as { applicationServerKey?: string; prefix?: string; count?: number };
  const make = (): object => controls.subscribe(wish.applicationServerKey, wish.prefix);
  return { ...ok(wish.count === undefined ? make() : Array.from({ length: wish.count }, make)), status: 201 };
}

function isVendorApiName(name: string | null): name is VendorApiName {
  return VENDOR_API_NAMES.some((known) => known === name);
}

function ok(value: unknown): ControlAnswer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) };
}

function bad(...problems: string[]): ControlAnswer {
  return { ...ok({ problems }), status: 400 };
}
