/** A file cannot be written, for example because the disk is full. The error of the system does not say which file it is. */
export class FileNotWritten extends Error {
  constructor(file: string, cause: Error) {
    super(`${file} cannot be written: ${cause.message}`, { cause });
  }
}
