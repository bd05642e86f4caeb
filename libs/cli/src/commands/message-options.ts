import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandFailure } from '../terminal/failure';

/** The options of `send` and `preview` that say what a message is. */
export interface MessageOptions {
  content?: string;
  title?: string;
  body?: string;
  clickUrl?: string;
  data?: unknown;
  trackId?: string;
  ttl?: number;
  sendAt?: string;
  template?: string;
  file?: string;
}

/** Adds them to a command. */
export function addMessageOptions(command: Command): Command {
  return command
    .option('-c, --content <text>', 'the text of the message; the notification shows it, unless --body is given')
    .option('--title <text>', 'title of the notification')
    .option('--body <text>', 'text of the notification')
    .option('--click-url <url>', 'the link that a tap opens')
    .option('--data <json>', 'data for the app', readJson)
    .option('--template <id>', 'a saved template')
    .option('--track-id <id>', 'the track id of the campaign')
    .option('--ttl <seconds>', 'how long the message may wait for a device', readCount)
    .option('--send-at <time>', 'when it is sent, such as 2026-12-01T09:00:00+01:00; now if left out')
    .option(
      '-f, --file <path>',
      'a file with a request of the API as JSON; - is the standard input. An option replaces the same field of the file',
    );
}

/**
 * Returns the message as the API takes it, without its audience. @throws CommandFailure if no option says what it is
 */
export async function messageOf(options: MessageOptions): Promise<Record<string, unknown>> {
  return messageFrom(options, options.file === undefined ? {} : await readJsonFile(options.file));
}

/** @param given the content of the file, if the options name one */
export function messageFrom(options: MessageOptions, given: Record<string, unknown>): Record<string, unknown> {
  const { content, title, body, clickUrl, data, trackId, ttl, sendAt, template, file } = options;
  const notification = defined({ title, body, clickUrl });
  const hasNotification = Object.keys(notification).length > 0;
  const message: Record<string, unknown> = {
    ...given,
    ...defined({ content: content ?? given.content ?? body, data, trackId, ttl, sendAt, templateId: template }),
    ...(hasNotification ? { notification: { ...(given.notification as object | undefined), ...notification } } : {}),
    // A text that was typed is meant to be seen.
    ...(content !== undefined && body === undefined ? { useAsAlert: true } : {}),
  };
  // A file may take its content from a template or from variants: the service knows which fields a message needs.
  if (file === undefined && !['content', 'notification', 'templateId'].some((field) => message[field] !== undefined)) {
    throw new CommandFailure('What is to be sent? Give --content, --body, --template or --file');
  }
  return message;
}

/** A file of JSON, or the standard input. @throws CommandFailure if it holds no JSON object */
export async function readJsonFile(path: string): Promise<Record<string, unknown>> {
  const value = await readRequestFile(path);
  if (Array.isArray(value)) throw new CommandFailure(`${nameOf(path)} must contain one JSON object`);
  return value;
}

/** A file of JSON, or the standard input. @throws CommandFailure if it holds neither a JSON object nor a list */
export async function readRequestFile(path: string): Promise<Record<string, unknown> | unknown[]> {
  const text = path === '-' ? await readStream(process.stdin) : await readFile(path, 'utf8');
  try {
    const value = parseExactly(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown> | unknown[];
  } catch (error) {
    throw new CommandFailure(`${nameOf(path)}: ${(error as Error).message}`);
  }
  throw new CommandFailure(`${nameOf(path)} must contain one JSON object`);
}

function nameOf(path: string): string {
  return path === '-' ? 'The standard input' : path;
}

/** Reads JSON of an option. */
export function readJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Reads JSON whose integers stay as they are written. @throws Error with what is wrong */
function parseExactly(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`It is not JSON: ${(error as Error).message}`);
  }
  for (const [token] of text.matchAll(TEXT_OR_NUMBER)) {
    if (isChanged(token)) throw new Error(`${token} would be sent as ${Number(token)}: write it as text, in quotes`);
  }
  return value;
}

/** True for an integer that becomes another one when it is read into a double. */
function isChanged(token: string): boolean {
  if (!/^-?\d{16,}$/.test(token)) return false;
  const [digits = '', power = '0'] = String(Number(token)).split('e+');
  const [whole = '', fraction = ''] = digits.split('.');
  if (whole.endsWith('Infinity')) return true;
  return BigInt(token) !== BigInt(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length);
}

/** Reads a whole number of an option. */
export function readCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Reads how many entries of a list are shown. */
export function readLimit(text: string): number {
  const limit = readCount(text);
  if (limit > 0) return limit;
  throw new InvalidArgumentError('It must be 1 or more.');
}

/** The shortest and the longest time between two looks at a message. */
const SHORTEST_MS = 50;
const LONGEST_MS = 3_600_000;

/** Reads the time between two looks. */
export function readInterval(text: string): number {
  const ms = readCount(text);
  if (ms >= SHORTEST_MS && ms <= LONGEST_MS) return ms;
  throw new InvalidArgumentError(`It must be ${SHORTEST_MS} to ${LONGEST_MS} milliseconds.`);
}

/** Takes an option that may come several times, each time with one value or several separated by commas. */
export function collect(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').filter((value) => value !== '')];
}

/** The fields that have a value. */
export function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
