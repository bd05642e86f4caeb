import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The version for programs with several threads, as Node.js is. */
const LIBRARY = 'faketime/libfaketimeMT.so.1';
const LIBRARY_FOLDERS = '/usr/lib';

/**
 * Sets the clocks of running processes forward and back, by libfaketime (Debian package `faketime`): the library is
 * placed between a process and the C library, and reads once a second how far the clock is off. Only the time of day
 * changes; timers and durations continue as before, as they do when a person sets a machine's clock.
 */
export class FakeClocks {
  private constructor(
    private readonly library: string,
    private readonly folder: string,
  ) {}

  /**
   * @param folder the folder of the files that say how far each clock is off
   *
   * @returns null where the library is not installed
   */
  static async find(folder: string): Promise<FakeClocks | null> {
    for (const architecture of await readdir(LIBRARY_FOLDERS).catch(() => [])) {
      const library = join(LIBRARY_FOLDERS, architecture, LIBRARY);
      const isThere = await readdir(join(library, '..')).then(
        (files) => files.includes('libfaketimeMT.so.1'),
        () => false,
      );
      if (isThere) return new FakeClocks(library, folder);
    }
    return null;
  }

  /** Returns the environment of a process by which its clock can be set. */
  async environmentOf(name: string): Promise<Record<string, string>> {
    await this.#put(name, 0);
    return {
      LD_PRELOAD: this.library,
      FAKETIME_TIMESTAMP_FILE: this.#fileOf(name),
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /**
   * Moves a process's clock forward (or back) by so many seconds, and sets it right again when `meanwhile` has ended,
   * even with an error. The process notices each within a second.
   */
  async jump(name: string, seconds: number, meanwhile: () => Promise<unknown>): Promise<void> {
    await this.#put(name, seconds);
    await meanwhile().finally(() => this.#put(name, 0));
  }

  async #put(name: string, seconds: number): Promise<void> {
    await writeFile(this.#fileOf(name), `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
  }

  #fileOf(name: string): string {
    return join(this.folder, `clock-of-${name}`);
  }
}
