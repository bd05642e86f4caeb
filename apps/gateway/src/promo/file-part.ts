import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { DomainError, InvalidRequest } from '@postrider/domain';

/** The name of the part that holds the codes. */
const PART = 'file';

/** The limits of other parts. */
const LIMITS = {
  files: 1,
  fields: 16,
  parts: 20,
  fieldSize: 1_024,
  fieldNameSize: 255,
  headerPairs: 32,
  headerSize: 8_192,
};

/**
 * The part named `file` of a multipart/form-data body, as its bytes arrive: the body is read no faster than they are
 * consumed. Do not rely on any of it before the last byte: only then is the body known to be complete.
 *
 * @throws InvalidRequest if the body is not a form, ends early, or has no such part or several
 */
export async function* readFilePart(headers: IncomingHttpHeaders, body: Readable): AsyncGenerator<Buffer, void> {
  const form = openForm(headers);
  const parts = new FileParts(form, body);
  body.pipe(form);
  try {
    const file = await parts.first;
    if (file === null) throw refusal('is required: the part of the form that holds the codes');
    yield* bytesOf(file);
    await parts.whole;
  } finally {
    body.unpipe(form);
    parts.close();
  }
}

/** A part that ends early fails with the parser's own error or with ours, whichever comes first. */
async function* bytesOf(file: BusboyFileStream): AsyncGenerator<Buffer, void> {
  const bytes = file[Symbol.asyncIterator]();
  try {
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value as Buffer;
  } catch (error) {
    throw error instanceof DomainError ? error : brokenForm();
  } finally {
    await bytes.return?.();
  }
}

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS, isPartAFile: (name) => name === PART });
  } catch {
    throw new InvalidRequest([{ path: '', message: 'is not multipart/form-data: the boundary is missing' }]);
  }
}

/** Follows a form's part named `file` by its events. */
class FileParts {
  /** The part, as soon as it begins. Null if the form ends without one. */
  readonly first: Promise<BusboyFileStream | null>;
  /** Settles when the form was read to its end. */
  readonly whole: Promise<void>;
  #file: BusboyFileStream | undefined;
  #problem: Error | undefined;

  constructor(form: BusboyInstance, body: Readable) {
    this.whole = new Promise((ended, fail) => {
      const failWith = (error: Error): void => {
        this.#file?.destroy(error);
        fail(error);
      };
      form.once('finish', () => (this.#problem ? fail(this.#problem) : ended()));
      form.on('error', () => failWith(brokenForm()));
      body.once('error', () => failWith(brokenForm()));
      body.once('close', () => {
        if (!body.readableEnded) failWith(brokenForm());
      });
      form.on('filesLimit', () => (this.#problem ??= refusal('must be sent once')));
      for (const limit of ['partsLimit', 'fieldsLimit'] as const) {
        form.on(limit, () => (this.#problem ??= new InvalidRequest([{ path: '', message: 'has too many parts' }])));
      }
    });
    this.first = new Promise((found, fail) => {
      form.once('file', (_name, file) => {
        this.#file = file;
        // The reader of the part gets the error. Before there is a reader, nobody does.
        file.on('error', () => undefined);
        found(file);
      });
      this.whole.then(() => found(null), fail);
    });
    this.first.catch(() => undefined);
  }

  /** The rest of the part is discarded. */
  close(): void {
    this.#file?.resume();
  }
}

function refusal(message: string): InvalidRequest {
  return new InvalidRequest([{ path: PART, message }]);
}

function brokenForm(): InvalidRequest {
  return new InvalidRequest([{ path: '', message: 'is not a complete multipart/form-data body' }]);
}
