import { BinaryRows } from './binary-rows';

/** PostgreSQL's numbers of types (`pg_type.oid`). */
const TYPES = { bigint: 20, bytea: 17 } as const;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const BIGINT_BYTES = 8;
const EXPECTED_TEXT_BYTES = 64;
const TWO_TO_32 = 2 ** 32;

/**
 * An array of whole numbers, none below 0 or above 2^53, as PostgreSQL takes it in binary: `${bigintArray(ids)}::bigint[]`. As text,
 * PostgreSQL would read it digit by digit, and as JSON number by number too. The driver sends a Buffer as it is.
 */
export function bigintArray(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + numbers.length * (LENGTH_BYTES + BIGINT_BYTES));
  let at = writeHeader(bytes, TYPES.bigint, numbers.length);
  for (const number of numbers) {
    const high = Math.floor(number / TWO_TO_32);
    at = bytes.writeInt32BE(BIGINT_BYTES, at);
    at = bytes.writeUInt32BE(high, at);
    at = bytes.writeUInt32BE(number - high * TWO_TO_32, at);
  }
  return bytes;
}

/** As `bigintArray`, of bytes: `${byteaArray(details)}::bytea[]`. */
export function byteaArray(values: readonly Buffer[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + LENGTH_BYTES + length, HEADER_BYTES);
  const bytes = Buffer.allocUnsafe(size);
  let at = writeHeader(bytes, TYPES.bytea, values.length);
  for (const value of values) {
    at = bytes.writeInt32BE(value.length, at);
    at += value.copy(bytes, at);
  }
  return bytes;
}

/** As `bigintArray`, of texts: `${textArray(userIds)}::text[]`. The driver would look for quotes in each of them. */
export function textArray(values: readonly string[]): Buffer {
  const cells = new BinaryRows(HEADER_BYTES + values.length * EXPECTED_TEXT_BYTES);
  cells.texts(values);
  // A parameter has no length of its own.
  return cells.take().subarray(LENGTH_BYTES);
}

/** One dimension, no null, its type, its length, and that it begins at 1. (An array of length 0 is an array without any dimension.) */
function writeHeader(bytes: Buffer, type: number, length: number): number {
  let at = 0;
  for (const number of [1, 0, type, length, 1]) at = bytes.writeInt32BE(number, at);
  return at;
}
