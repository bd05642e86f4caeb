import {
  advancePromoImport,
  copyPromoCodes,
  type Database,
  type Executor,
  inTransaction,
  type PromoCodeWriter,
  type PromoImport,
  type PromoImportStep,
  readPromoBytes,
} from '@postrider/persistence';
import { BadPromoFile } from '../files/bad-promo-file';
import { PromoFileReader } from '../files/promo-file-reader';
import { ImportLost } from './import-lost';

/** Bytes of the file that are copied in one transaction: what is done over after a kill. */
const STRETCH_BYTES = 4_194_304;
/** Bytes of it in hand at a time. Larger ones make garbage faster than it is collected. */
const READ_BYTES = 65_536;

/**
 * Copies the next stretch of an upload into its set and notes it, in one transaction. Memory holds two such reads at a time.
 *
 * @param most codes that a set may hold
 * @returns where the import stands then; nothing of the stretch is kept when it throws
 * @throws BadPromoFile, ImportLost
 */
export async function copyStretch(database: Database, held: PromoImport, most: number): Promise<PromoImportStep> {
  return inTransaction(database, async (executor) => {
    const writer = await copyPromoCodes(executor, held, held.blocks);
    let read: Omit<PromoImportStep, 'blocks'>;
    try {
      read = await copyChunks(database, held, writer, most);
    } catch (error) {
      writer.abort();
      throw error;
    }
    const step = { ...read, blocks: await writer.end() };
    await advance(executor, held, step);
    return step;
  });
}

async function copyChunks(
  database: Database,
  held: PromoImport,
  writer: PromoCodeWriter,
  most: number,
): Promise<Omit<PromoImportStep, 'blocks'>> {
  const reader = new PromoFileReader(held);
  let loaded = held.loaded;
  const copy = async (codes: readonly string[]): Promise<void> => {
    loaded += codes.length;
    if (loaded > most) throw new BadPromoFile(reader.lines, `a set holds at most ${most.toLocaleString('en')} codes`);
    await writer.write(codes);
  };
  for await (const bytes of readBytes(database, held)) {
    await copy(reader.push(bytes));
    if (reader.position - held.position >= STRETCH_BYTES) {
      return { position: reader.position, lines: reader.lines, loaded };
    }
  }
  await copy(reader.end());
  if (loaded === 0) throw new BadPromoFile(Math.max(1, reader.lines), 'the file holds no code');
  return { position: reader.position, lines: reader.lines, loaded };
}

/** What of the file is not imported yet; the next bytes are read while some are worked. */
async function* readBytes(database: Database, held: PromoImport): AsyncGenerator<Buffer, void> {
  const read = (position: number): Promise<Buffer | null> => {
    const bytes = readPromoBytes(database, held, { position, most: READ_BYTES });
    bytes.catch(() => undefined);
    return bytes;
  };
  let { position } = held;
  for (let next = position < held.bytes ? read(position) : null; next;) {
    const bytes = await next;
    // Another worker has imported it.
    if (bytes === null || bytes.length === 0) throw new ImportLost();
    position += bytes.length;
    next = position < held.bytes ? read(position) : null;
    yield bytes;
  }
}

async function advance(executor: Executor, held: PromoImport, step: PromoImportStep): Promise<void> {
  if (!(await advancePromoImport(executor, held, step))) throw new ImportLost();
}
