import { Readable } from 'node:stream';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { DomainError } from '@postrider/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsJson } from './accepts-json';

const NEEDS_QUOTES = /[",\r\n]/;
/**
 * What may be a cell of a spreadsheet. In many countries a semicolon separates cells. There a quote in the middle of a
 * line has no meaning, so that a cell also begins behind a semicolon or a line break inside a field.
 */
const CELL = /[^;\r\n]+/g;
/**
 * The first characters of what spreadsheets take for a formula, also in full width. Blanks before them may be dropped, and
 * so are quotes: doubled at the beginning of a cell, they are empty quoted text, and what follows is the cell.
 */
const FORMULA = /^[ "]*[=+\-@\t＝＋－＠]/;
/** Most fields hold none: a quick look spares them the rest. */
const MAY_HOLD_FORMULA = /(?:^|[;\r\n])[ "]*[=+\-@\t＝＋－＠]/;

/**
 * One record of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula gets a `'` in front; numbers, which
 * may be negative, do not.
 */
export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map((field) => (typeof field === 'number' ? String(field) : csvField(field))).join(',')}\r\n`;
}

function csvField(text: string): string {
  const safe = MAY_HOLD_FORMULA.test(text) ? text.replaceAll(CELL, withoutFormula) : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Tags in one field, separated by `;`. A tag with a value is written `tag=value`. */
export function tagsField({ tags, tagValues }: { tags: readonly string[]; tagValues: Record<string, string> }): string {
  return tags.map((tag) => (Object.hasOwn(tagValues, tag) ? `${tag}=${tagValues[tag] ?? ''}` : tag)).join(';');
}

/**
 * A stream of text that is generated as the caller reads it.
 *
 * @throws the error of the first part; later failures interrupt the stream
 */
export async function openText(parts: AsyncGenerator<string, void>): Promise<Readable> {
  const first = await parts.next();
  return Readable.from(continued(first, parts), { objectMode: false, highWaterMark: 65_536 });
}

async function* continued(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/**
 * Sets the headers of a CSV file with a header line and this name. Call it when the file is open: the answer about an
 * error is no file.
 */
export function announceCsv(reply: FastifyReply, filename: string): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${filename}"`);
}

/**
 * True if a caller wants CSV rather than JSON: by `format`, or else by the header `Accept`.
 *
 * @throws DomainError NOT_ACCEPTABLE for a header that allows neither
 */
export function wantsCsv(format: 'json' | 'csv' | undefined, { headers }: FastifyRequest): boolean {
  if (format !== undefined) return format === 'csv';
  const { accept } = headers;
  if (accept !== undefined && /(?:^|,)\s*text\/csv\b/i.test(accept) && !/application\/json/i.test(accept)) return true;
  if (acceptsJson(accept)) return false;
  throw new DomainError('NOT_ACCEPTABLE', 'The answer is application/json or text/csv');
}

/** An answer for which `wantsCsv` decides. @param json its class as JSON */
export function ApiJsonOrCsv(json: Type): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(json),
    ApiOkResponse({
      content: {
        'application/json': { schema: { $ref: getSchemaPath(json) } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
  );
}
