import { Inject, Injectable } from '@nestjs/common';
import {
  type Database,
  DATABASE,
  inTransaction,
  PromoCodesRepository,
  type PromoCodeWriter,
  type PromoImport,
  PromoImportsRepository,
  type PromoImportStep,
} from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import { BadPromoFile } from '../files/read-line';
import { PromoFileReader } from '../files/promo-file-reader';
import { ImportLost } from './import-lease';

/** Bytes of the file that are copied in one transaction: this much is repeated after a kill. */
const STRETCH_BYTES = 4_194_304;
/** Bytes of the file in memory at a time. Larger pieces make garbage faster than it is collected. */
const READ_BYTES = 65_536;

/** Copies uploads into their sets, a stretch in a transaction. */
@Injectable()
export class StretchCopier {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'maxPromoCodes'>,
    private readonly imports: PromoImportsRepository,
    private readonly codes: PromoCodesRepository,
  ) {}

  /**
   * Copies the next stretch of an upload into its set and notes it, in one transaction. Memory holds two such reads at
   * a time.
   * @returns the progress of the import; if it throws, nothing of the stretch is kept
   * @throws BadPromoFile, ImportLost
   */
  async copyNext(held: PromoImport): Promise<PromoImportStep> {
    return inTransaction(this.database, async (executor) => {
      const writer = await this.codes.copy(executor, held, held.blocks);
      let read: Omit<PromoImportStep, 'blocks'>;
      try {
        read = await this.#copyPieces(held, writer);
      } catch (error) {
        writer.abort();
        throw error;
      }
      const step = { ...read, blocks: await writer.end() };
      if (!(await this.imports.advance(executor, held, step))) throw new ImportLost();
      return step;
    });
  }

  async #copyPieces(held: PromoImport, writer: PromoCodeWriter): Promise<Omit<PromoImportStep, 'blocks'>> {
    const most = this.config.maxPromoCodes;
    const reader = new PromoFileReader(held);
    let loaded = held.loaded;
    const copy = async (codes: readonly string[]): Promise<void> => {
      loaded += codes.length;
      if (loaded > most) throw new BadPromoFile(reader.lines, `a set holds at most ${most.toLocaleString('en')} codes`);
      await writer.write(codes);
    };
    for await (const bytes of this.#readBytes(held)) {
      await copy(reader.push(bytes));
      // The end of the file is told below, also where a stretch ends with it.
      if (reader.position - held.position >= STRETCH_BYTES && reader.position < held.bytes) {
        return { position: reader.position, lines: reader.lines, loaded };
      }
    }
    await copy(reader.end());
    if (loaded === 0) throw new BadPromoFile(Math.max(1, reader.lines), 'the file holds no code');
    return { position: reader.position, lines: reader.lines, loaded };
  }

  /** Yields the part of the file that is not imported yet; the next bytes are read while others are processed. */
  async *#readBytes(held: PromoImport): AsyncGenerator<Buffer, void> {
    const read = (position: number): Promise<Buffer | null> => {
      const bytes = this.imports.readBytes(held, { position, most: READ_BYTES });
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
}
