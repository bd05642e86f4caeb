import { setTimeout as delay } from 'node:timers/promises';
import type { Postrider, Schemas } from '@postrider/server';
import type { Command } from 'commander';
import type { Context } from '../context';
import type { Runner } from '../runner';
import { plain } from '../terminal/output';
import { readInterval, readLimit } from './message-options';

type Message = Schemas.MessageResponse;

const BAR_WIDTH = 40;
/** States that a delivery leaves by itself. */
const OPEN = ['pending'];

/** `postrider messages`. */
export function addMessages(program: Command, run: Runner): void {
  const messages = program.command('messages').description('List, show, watch and cancel messages');
  messages
    .command('list')
    .description('The newest messages')
    .option('--campaigns', 'list the sends to segments and targets, not those to users')
    .option('--track-id <id>', 'only those with this track id')
    .option('--user <id>', 'only those to this user')
    .option('-n, --limit <count>', 'how many', readLimit, 20)
    .action(
      run(async (context, options: { campaigns?: boolean; trackId?: string; user?: string; limit: number }) => {
        const postrider = await context.application();
        const { trackId, user } = options;
        const query = {
          limit: Math.min(options.limit, 100),
          ...(trackId === undefined ? {} : { trackId }),
          ...(user === undefined ? {} : { userId: user }),
        };
        const call = { signal: context.signal };
        const list = options.campaigns ? postrider.listCampaigns(query, call) : postrider.listMessages(query, call);
        const found: Pick<Message, 'id' | 'status' | 'count' | 'trackId' | 'acceptedAt'>[] = [];
        for await (const message of list as AsyncIterable<Message>) {
          if (found.length >= options.limit) break;
          found.push(message);
        }
        const rows = found.map(({ id, status, count, trackId: track, acceptedAt }) => [
          id,
          status,
          count,
          track,
          acceptedAt,
        ]);
        context.output.table(found, ['MESSAGE', 'STATUS', 'DEVICES', 'TRACK ID', 'ACCEPTED'], rows);
      }),
    );
  addOneMessage(messages, run);
}

/** The commands that are about one message. */
function addOneMessage(messages: Command, run: Runner): void {
  messages
    .command('show <id>')
    .description('Show the result of a message')
    .action(
      run(async (context, _options, id: string) => {
        const message = await (await context.application()).getMessage(id, { signal: context.signal });
        context.output.result(message, pictureOf(message, context.output.columns));
      }),
    );
  messages
    .command('watch <id>')
    .description('Watch a message until it is done or cancelled; Ctrl-C stops watching, not the message')
    .option('--interval <ms>', 'the milliseconds between two looks: 50 to 3600000', readInterval, 1_000)
    .action(
      run(async (context, { interval }: { interval: number }, id: string) =>
        watchMessage(context, await context.application(), id, interval),
      ),
    );
  messages
    .command('cancel <id>')
    .description('Cancel what is not sent yet')
    .action(
      run(async (context, _options, id: string) => {
        const message = await (await context.application()).cancelMessage(id, { signal: context.signal });
        context.output.result(message, `Message ${id} is ${message.status}`);
      }),
    );
}

/**
 * Shows a message until it is done or cancelled: drawn over in a terminal, otherwise a line for each change.
 *
 * @throws the reason of the context's signal when it is aborted
 */
export async function watchMessage(
  { output, signal }: Context,
  postrider: Postrider,
  id: string,
  intervalMs: number,
): Promise<void> {
  let rows = 0;
  let before = '';
  for (;;) {
    const message = await postrider.getMessage(id, { signal });
    const state = JSON.stringify([message.status, message.recipients, message.totals]);
    if (output.isLive) {
      const picture = pictureOf(message, output.columns);
      output.draw(picture, rows, isOver(message));
      rows = picture.length;
    } else if (state !== before) output.result(message, lineOf(message));
    before = state;
    if (isOver(message)) return;
    await delay(intervalMs, undefined, { signal });
  }
}

function isOver({ status }: Message): boolean {
  return status === 'done' || status === 'cancelled';
}

/**
 * A message as a few lines, always as many.
 *
 * @param columns the width of the terminal: the bar leaves room for the numbers behind it
 */
export function pictureOf(message: Message, columns: number): string[] {
  const { id, status, count, trackId, acceptedAt } = message;
  const skipped = statesOf(message.skipped);
  const finished = finishedOf(message);
  const all = Math.max(message.recipients, count);
  const share = all === 0 ? Number(status === 'done') : Math.min(finished / all, 1);
  const numbers = `${Math.floor(share * 100)}%  ${finished} of ${all} devices`;
  const width = Math.max(0, Math.min(BAR_WIDTH, columns - numbers.length - '[] '.length));
  const full = Math.floor(share * width);
  return [
    // A narrow terminal cuts the end of the line, so what changes comes first.
    `${status}${scheduleOf(message)}  ${id}${trackId === null ? '' : `  ${plain(trackId)}`}  ${acceptedAt}`,
    `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${numbers}`,
    statesOf(message.totals) || 'nothing yet',
    `errors: ${statesOf(message.errors) || 'none'}${skipped === '' ? '' : `  skipped: ${skipped}`}`,
  ];
}

function lineOf(message: Message): string {
  const states = statesOf(message.totals);
  return `${message.status}${scheduleOf(message)}  ${finishedOf(message)} of ${Math.max(message.recipients, message.count)}  ${states}`.trimEnd();
}

/** When it is sent, as long as nothing of it was. */
function scheduleOf({ status, sendAt, localTime }: Message): string {
  if (status !== 'accepted' || typeof sendAt !== 'string') return '';
  return `  to be sent at ${plain(sendAt)}${localTime ? ' in local time' : ''}`;
}

function finishedOf({ totals }: Message): number {
  return Object.entries(totals as Record<string, number>)
    .filter(([state]) => !OPEN.includes(state))
    .reduce((sum, [, count]) => sum + count, 0);
}

function statesOf(counts: Record<string, number> = {}): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${state} ${count}`)
    .join('  ');
}
