/** A file that becomes no set, because of one of its lines. */
export class BadPromoFile extends Error {
  /** @param line counted from 1 */
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(`line ${line}: ${problem}`);
    this.name = 'BadPromoFile';
  }
}
