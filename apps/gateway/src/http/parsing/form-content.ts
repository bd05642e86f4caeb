import { DomainError } from '@postrider/domain';
import type { FastifyInstance } from 'fastify';

/** Where SMS providers report: the only routes that take forms, and that take a body from somebody without a token. */
export const REPORTS_PATH = '/api/sms/status/';

const MAX_FORM_BYTES = 16_384;

/** Reads forms (application/x-www-form-urlencoded) where SMS providers report, and nowhere else. */
export function readFormsOfReports(fastify: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded';
  fastify.addContentTypeParser<string>(
    type,
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (request, body, done) => {
      if (request.routeOptions.url?.startsWith(REPORTS_PATH)) done(null, readForm(body));
      else done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json'));
    },
  );
}

/** A form's fields; the last one counts where a name comes twice. */
export function readForm(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}
