import type { Postrider, Schemas, Sent } from '@postrider/server';
import type { Command } from 'commander';
import { CommandFailure } from '../terminal/failure';
import { plain, table } from '../terminal/output';
import type { Runner } from '../runner';
import {
  addMessageOptions,
  collect,
  defined,
  messageFrom,
  type MessageOptions,
  messageOf,
  readJson,
  readRequestFile,
} from './message-options';
import { watchMessage } from './messages';

interface SendOptions extends MessageOptions {
  user?: string[];
  everybody?: boolean;
  segment?: string;
  target?: unknown;
  channel?: string;
  idempotencyKey?: string;
  dryRun?: boolean;
  watch?: boolean;
}

/** Said if a send reaches no device: most often the name of the user is wrong, or no app has registered yet. */
const NOBODY =
  'No device gets it: check the user, the segment and the channel, and that an app has registered a device.';

/** `postrider send` and `postrider preview`. */
export function addSending(program: Command, run: Runner): void {
  const send = program
    .command('send')
    .description('Send a message to users, to a segment, or to everyone on a channel')
    .option('-u, --user <id>', 'a user; separate several with commas, or repeat the option', collect)
    .option('--everybody', 'everybody on the channel')
    .option('--segment <id>', 'the devices of a saved segment')
    .option('--target <json>', 'the devices with these properties, such as {"deviceType":"ios"}', readJson)
    .option('--channel <name>', 'the channel; public/default if it is left out')
    .option('--idempotency-key <key>', 'a second send with the same key within 24 hours sends nothing')
    .option('--dry-run', 'count, and send nothing')
    .option('-w, --watch', 'watch the message until it is done')
    .addHelpText(
      'after',
      `
Examples:
  postrider send --user ada --content 'Tea at four?' --watch
  postrider send --user ada,omid --title Parcel --body 'It comes today' --click-url shop://orders/17
  postrider send --everybody --content 'We open an hour later' --send-at 2026-12-01T09:00:00+01:00
  postrider send --target '{"deviceType":"ios"}' --content 'A new version is out' --dry-run`,
    );
  addMessageOptions(send).action(
    run(async (context, options: SendOptions) => {
      const postrider = await context.application();
      const given = options.file === undefined ? {} : await readRequestFile(options.file);
      const sent = Array.isArray(given)
        ? await sendList(postrider, given, options, context.signal)
        : await sendTo(postrider, messageFrom(options, given), options, context.signal);
      if (options.dryRun) {
        const vendors = Object.entries(sent.byVendor ?? {}).map(([vendor, count]) => `${vendor} ${count}`);
        context.output.result(sent, [`${sent.count} devices; nothing was sent`, ...vendors.map((line) => `  ${line}`)]);
        return;
      }
      context.output.result(sent, textOf(sent));
      if (sent.count === 0) context.output.note(NOBODY);
      if (!options.watch) return;
      for (const id of sent.messageIds) await watchMessage(context, postrider, id, 1_000);
    }),
  );

  const preview = program
    .command('preview')
    .description('Show the message as the devices of some users would get it; sends nothing')
    .requiredOption('-u, --user <id>', 'required: a user; separate several with commas, or repeat the option', collect);
  addMessageOptions(preview).action(
    run(async (context, options: MessageOptions & { user: string[] }) => {
      const postrider = await context.application();
      const body = { ...(await messageOf(options)), users: options.user } as unknown as Schemas.PreviewRequest;
      const shown = await postrider.previewMessage(body, { signal: context.signal });
      context.output.result(shown, pictureOf(shown, context.output.columns));
    }),
  );
}

/** A row for each device; a user without one is named below, so that no answer is an empty table. */
function pictureOf({ users }: Schemas.PreviewResponse, columns: number): string[] {
  const rows = users.flatMap(({ userId, devices }) =>
    devices.map(({ vendor, title, body, warnings }) => [userId, vendor, title, body, warnings.join('; ')]),
  );
  const without = users.filter(({ devices }) => devices.length === 0);
  return [
    ...(rows.length === 0 ? [] : table(['USER', 'VENDOR', 'TITLE', 'TEXT', 'WARNINGS'], rows, columns)),
    ...without.map(({ userId }) => `${plain(userId)} has no device`),
  ];
}

async function sendTo(
  postrider: Postrider,
  message: Record<string, unknown>,
  options: SendOptions,
  signal: AbortSignal,
): Promise<Sent> {
  const { channel } = options;
  const body = { ...message, ...groupOf(options), ...usersOf(options), ...defined({ channel }) };
  const isToGroup = 'segment' in body || 'target' in body;
  if (isToGroup === ('user' in body || 'users' in body)) {
    throw new CommandFailure('To whom? Give --user or --everybody, or else --segment or --target');
  }
  const call = callOf(options, signal);
  // The service says which fields are wrong.
  return isToGroup
    ? postrider.byQuery(body, call)
    : postrider.toUsers(body as unknown as Schemas.SendToUserRequest, call);
}

/** The options that say something about a request, whatever it sends. */
const OF_ALL = new Set(['file', 'idempotencyKey', 'dryRun', 'watch']);

/** Sends a list of messages, each with its own user and content. @throws CommandFailure if an option says what only one message can have */
async function sendList(
  postrider: Postrider,
  messages: unknown[],
  options: SendOptions,
  signal: AbortSignal,
): Promise<Sent> {
  const [option] = Object.keys(options).filter((name) => !OF_ALL.has(name));
  if (option !== undefined) {
    const name = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new CommandFailure(`The file is a list of messages: put what --${name} says into each of them`);
  }
  return postrider.toUsers(messages as Schemas.SendToUserRequest[], callOf(options, signal));
}

function callOf(
  { idempotencyKey, dryRun = false }: SendOptions,
  signal: AbortSignal,
): { signal: AbortSignal; dryRun: boolean; idempotencyKey?: string } {
  return { signal, dryRun, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
}

function groupOf({ segment, target }: SendOptions): object {
  return defined({ segment: segment === undefined ? undefined : { id: segment }, target });
}

function usersOf({ user = [], everybody }: SendOptions): object {
  if (everybody && user.length > 0) throw new CommandFailure('To whom? Give --user or --everybody, not both');
  const users = everybody ? ['*'] : user;
  return users.length > 1 ? { users } : defined({ user: users[0] });
}

function textOf({ count, messageIds, isReplay }: Sent): string[] {
  const replayed = isReplay ? ' (sent before, with this key)' : '';
  return [
    `Sent to ${count} ${count === 1 ? 'device' : 'devices'}${replayed}`,
    ...messageIds.map((id) => `  message ${id}`),
  ];
}
