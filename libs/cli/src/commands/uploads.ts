import { createReadStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { basename, extname } from 'node:path';
import { type FileSource, type Postrider, PostriderError, type Schemas } from '@postrider/server';
import { type Command, Option } from 'commander';
import type { Context } from '../context';
import type { Runner } from '../runner';
import { CommandFailure, EXIT } from '../terminal/failure';
import { plain } from '../terminal/output';
import { refuseInOptions } from './import-refusal';
import {
  countLines,
  type ImportJob,
  readWrongLines,
  refuseIncomplete,
  reportOfImport,
  textOfWrong,
} from './import-report';
import { defined, readJson } from './message-options';

const POLL_MS = 1_000;
/** The most characters in the name of an import. */
const MOST_NAME = 255;
/** So many looks in a row may have no answer. The client repeats each, so a gateway that restarts is back before the last. */
const MOST_UNANSWERED = 5;

interface ImportOptions {
  type?: FileType;
  format?: string;
  mapping?: unknown;
  header: boolean;
  pushType?: string;
  validate?: boolean;
  validationRate?: string;
  wait: boolean;
}

type FileType = 'csv' | 'ndjson' | 'json';

const CONTENT_TYPES: Readonly<Record<FileType, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};
const FORMATS = ['onesignal', 'parse', 'sns', 'pinpoint', 'webpush', 'tokens'];
const PUSH_TYPES = ['fcm', 'apns', 'hms', 'webpush'];
/** The types of files by the ends of their names. */
const TYPES: Readonly<Record<string, FileType>> = { '.json': 'json', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

/** `postrider promo` and `postrider devices`. */
export function addUploads(program: Command, run: Runner): void {
  const promo = program.command('promo').description('Upload promo codes');
  promo
    .command('upload <file>')
    .description(
      'Replace the promo codes of a campaign or of the application by a file with one code per line; - is the standard input',
    )
    .option('--track-id <id>', 'the track id of the campaign')
    .option('--global', 'the whole application')
    .action(
      run(async (context, { trackId, global }: { trackId?: string; global?: boolean }, file: string) => {
        if ((trackId === undefined) !== (global === true)) throw new CommandFailure('Give --track-id or --global');
        const postrider = await context.application();
        const call = { signal: context.signal };
        const source = sourceOf(file);
        const answer =
          trackId === undefined
            ? await postrider.updateGlobalPromoCodes(source, {}, call)
            : await postrider.updatePromoCodes(trackId, source, {}, call).catch(refuseUnknown(trackId));
        const { promoSetId } = answer;
        const totalRows =
          'totalRows' in answer ? answer.totalRows : await followPromoJob(context, postrider, answer.jobId);
        context.output.result({ promoSetId, totalRows }, `${totalRows} codes are in force (set ${promoSetId})`);
      }),
    );

  const devices = program.command('devices').description('Import devices from another system, and show past imports');
  addImports(devices, run);
  addErrors(devices, run);
  devices
    .command('import <file>')
    .description(
      'Import devices from another system: a CSV, NDJSON or JSON file, also compressed (.gz); - is the standard input',
    )
    .addOption(
      new Option('--type <name>', 'the type of the file, if its name does not end with it').choices(
        Object.keys(CONTENT_TYPES),
      ),
    )
    .addOption(
      new Option('--format <name>', 'the system that wrote the file; Postrider finds out if it is left out').choices(
        FORMATS,
      ),
    )
    .option('--mapping <json>', 'which column is which field, such as {"deviceToken":"token"}', readJson)
    .option('--no-header', 'the first line of a CSV file is a device, too; columns have numbers from 1')
    .addOption(
      new Option('--push-type <name>', 'the vendor of a list of tokens that does not name it').choices(PUSH_TYPES),
    )
    .option('--validate', 'ask FCM about each of its tokens first; devices show nothing')
    .option('--validation-rate <number>', 'the number of tokens per second that FCM is asked about: 1 to 1000 (100)')
    .option('--no-wait', 'end when the file is uploaded, and do not wait for the import')
    .action(run((context, options: ImportOptions, file: string) => importDevices(context, options, file)));
}

function addImports(devices: Command, run: Runner): void {
  devices
    .command('imports')
    .description('List the imports of the retention time, newest first')
    .action(
      run(async (context) => {
        const postrider = await context.application();
        const found: Schemas.ImportSummaryResponse[] = [];
        for await (const job of postrider.listImports({}, { signal: context.signal })) found.push(job);
        context.output.table(
          found,
          ['IMPORT', 'UPLOADED', 'STATUS', 'LINES', 'CREATED', 'FAILED', 'FILE'],
          found.map((job) => [
            ...[job.jobId, job.startedAt, job.status],
            ...[job.lines, job.created, job.failed, job.name ?? ''],
          ]),
        );
      }),
    );
}

function addErrors(devices: Command, run: Runner): void {
  devices
    .command('errors <id>')
    .description('List all wrong lines of an import')
    .action(
      run(async ({ application, output, signal }: Context, _options: object, id: string) => {
        const { body } = await (await application()).listImportErrors(id, { signal });
        if (body === null) return;
        try {
          for await (const wrong of readWrongLines(body)) output.result(wrong, textOfWrong(wrong));
        } catch {
          signal.throwIfAborted();
          throw new CommandFailure('The gateway did not send the list to its end', EXIT.unavailable);
        }
      }),
    );
}

/** The service calls the campaign a `userPush`, a name that its callers of before know. */
function refuseUnknown(trackId: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PostriderError && error.status === 404)) throw error;
    const hint =
      'The first message with this track id creates it, and so does `postrider api POST /api/push/campaigns`.';
    throw new CommandFailure(`There is no campaign ${plain(trackId)}`, EXIT.notFound, hint);
  };
}

async function followPromoJob({ output, signal }: Context, postrider: Postrider, jobId: string): Promise<number> {
  const look = tolerantLook(jobId, () => postrider.getPromoJob(jobId, { signal }));
  for (;;) {
    const job = await look();
    if (job === null) {
      await delay(POLL_MS, undefined, { signal });
      continue;
    }
    if (job.status === 'done') return job.totalRows ?? job.rows;
    if (job.status === 'failed')
      throw new CommandFailure(`The codes were not taken: ${job.reason ?? ''}`, EXIT.refused);
    output.note(`${job.status}: ${job.rows} codes`);
    await delay(POLL_MS, undefined, { signal });
  }
}

/**
 * Returns a function that looks at a job: the service goes on with it while the gateway is away, so a look without an answer is
 * null, and not the end.
 * That function @throws CommandFailure, which names the job, after too many of these in a row
 */
function tolerantLook<Job>(jobId: string, look: () => Promise<Job>): () => Promise<Job | null> {
  let unanswered = 0;
  return async () => {
    try {
      const job = await look();
      unanswered = 0;
      return job;
    } catch (error) {
      if (!(error instanceof PostriderError && error.isTemporary)) throw error;
      if (++unanswered < MOST_UNANSWERED) return null;
      throw new CommandFailure(error.message, EXIT.unavailable, `The file is uploaded, and its job ${jobId} goes on.`);
    }
  };
}

async function importDevices(context: Context, options: ImportOptions, file: string): Promise<void> {
  const { output, signal } = context;
  const postrider = await context.application();
  const call = {
    signal,
    contentType: contentTypeOf(file, options.type),
    ...(/\.gz$/i.test(file) ? { contentEncoding: 'gzip' } : {}),
  };
  const path = `/api/installations/import${queryOf(options, file)}` as const;
  const { jobId } = await postrider
    .request<{ jobId: string }>('POST', path, { file: sourceOf(file) }, call)
    .catch(refuseInOptions);
  if (!options.wait) {
    output.result({ jobId }, `Uploaded. The import is the job ${jobId}`);
    return;
  }
  // Whoever ends the waiting can still look the import up.
  output.note(`Uploaded. The import is the job ${jobId}`);
  output.note('It goes on if this command ends before: `postrider devices imports` shows it.');
  const job = await followImport(context, postrider, jobId);
  output.result({ jobId, ...job }, reportOfImport(jobId, job));
  refuseIncomplete(jobId, job, options.mapping);
}

function queryOf(options: ImportOptions, file: string): string {
  const { format, mapping, header, pushType, validate, validationRate } = options;
  const mapped = mapping === undefined ? undefined : JSON.stringify(mapping);
  const words = defined({
    name: nameOf(file),
    format,
    mapping: mapped,
    header: header ? undefined : 'false',
    pushType,
    validate: validate === true ? 'true' : undefined,
    validationRate,
  });
  const query = new URLSearchParams(words as Record<string, string>).toString();
  return query === '' ? '' : `?${query}`;
}

async function followImport({ output, signal }: Context, postrider: Postrider, jobId: string): Promise<ImportJob> {
  let before = -1;
  const path = `/api/installations/import/${encodeURIComponent(jobId)}` as const;
  const look = tolerantLook(jobId, () => postrider.request<ImportJob>('GET', path, {}, { signal }));
  for (;;) {
    const job = await look();
    if (job?.status === 'done' || job?.status === 'failed') return job;
    if (job !== null && job.lines !== before) output.note(`${plain(job.status)}: ${countLines(job.lines)}`);
    before = job?.lines ?? before;
    await delay(POLL_MS, undefined, { signal });
  }
}

/** The name by which the list of imports shows a file. The standard input has none. */
function nameOf(file: string): string | undefined {
  const name = basename(file);
  return file === '-' || file === '/dev/stdin' || name.length > MOST_NAME ? undefined : name;
}

/** A file, or the standard input as `-`. */
function sourceOf(file: string): FileSource {
  return file === '-' ? process.stdin : file === '/dev/stdin' ? createReadStream(file) : { path: file };
}

/** A file whose type is not known is sent as CSV; the service says if it is another. */
function contentTypeOf(file: string, type: FileType | undefined): string {
  return CONTENT_TYPES[type ?? TYPES[extname(file.replace(/\.gz$/i, '')).toLowerCase()] ?? 'csv'];
}
