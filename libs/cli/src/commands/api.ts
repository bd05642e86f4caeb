import { extname } from 'node:path';
import type { FileSource } from '@postrider/server';
import { Argument, type Command } from 'commander';
import type { Context } from '../context';
import type { Runner } from '../runner';
import { CommandFailure, EXIT } from '../terminal/failure';
import { readJson } from './message-options';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The types of files by the ends of their names; JSON otherwise. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
};

interface ApiOptions {
  data?: unknown;
  file?: string;
}

/** `postrider api`: any operation of the API. */
export function addApi(program: Command, run: Runner): void {
  program
    .command('api')
    .description('Call any operation of the API, and print its answer')
    .addArgument(new Argument('<method>', 'the method').choices(METHODS))
    .argument('<path>', 'the path, with its query; it begins with /api/')
    .option('-d, --data <json>', 'the body', readJson)
    .option('-f, --file <path>', 'a file with the body: .csv, .ndjson or else JSON; - is JSON from the standard input')
    .addHelpText(
      'after',
      `
Examples:
  postrider api GET /api/users/ada
  postrider api POST /api/trackers --data '{"name":"Poster","destination":"https://example.com/"}'
  postrider api GET /api/admin/apps

The API reference is at /docs on the gateway. Paths under /api/admin take the token of the operator.`,
    )
    .action(
      run((context, options: ApiOptions, method: string, path: string) => callApi(context, options, method, path)),
    );
}

async function callApi(context: Context, { data, file }: ApiOptions, method: string, path: string): Promise<void> {
  if (!isPath(path)) throw new CommandFailure('The path begins with /api/, such as /api/push/messages');
  if (data !== undefined && file !== undefined) throw new CommandFailure('Give --data or --file, not both');
  const { signal } = context;
  const postrider = await (path.startsWith('/api/admin/') ? context.operator() : context.application());
  const answer =
    file === undefined
      ? await postrider.requestFile(method, path, { body: data }, { signal })
      : await postrider.requestFile(method, path, { file: sourceOf(file) }, { signal, contentType: typeOf(file) });
  try {
    await print(answer, context);
  } catch {
    signal.throwIfAborted();
    throw new CommandFailure('The gateway did not send the answer to its end', EXIT.unavailable);
  }
}

async function print(answer: Response, { output, signal }: Context): Promise<void> {
  if (answer.headers.get('content-type')?.startsWith('application/json')) {
    const value: unknown = await answer.json();
    output.result(value, JSON.stringify(value, null, 2));
  } else if (answer.body !== null) await output.raw(answer.body, signal);
}

function sourceOf(file: string): FileSource {
  return file === '-' ? process.stdin : { path: file };
}

function typeOf(file: string): string {
  return CONTENT_TYPES[extname(file).toLowerCase()] ?? 'application/json';
}

function isPath(path: string): path is `/api/${string}` {
  return path.startsWith('/api/');
}
