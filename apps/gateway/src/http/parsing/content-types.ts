import { type BodyRules, parseJsonBody } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isReadableCharset, isReadableCoding, refusalOfType } from '../uploads';

/**
 * Makes JSON the only content that a route accepts, unless a module adds a parser of its own. No body is parsed before
 * its caller is authorized (`RequestPipeline`).
 */
export function readJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      checkCoding(request);
      done(null, parseJsonBody(body as Buffer, rulesOf(request.routeOptions.url ?? '')));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addContentTypeParser('*', (request, _body, done) => done(refusalOfType(fastify, request)));
}

const SENDS = /^\/api\/push\/(?:toUsers|byQuery|byquery|notifyUsers|notifyToUsers|notifyUser\/:userId|preview)$/;
/** Routes that report every problem of the body at once and do nothing before the whole body is read. */
const READ_IN_FULL =
  /^\/api\/installations(?:\/(?:addTags|removeTags|addValueTag|removeValueTag|track|trackBulk|trackPurchase|trackRevenue))?$/;

/** Routes whose body has the content of a message that is sent later. They too report every problem at once. */
const SAVES_CONTENT = /^\/api\/(?:templates|drafts)(?:\/:id)?$/;
/** Routes whose body is a part of the content of a message. */
const CHANGES_CONTENT = /^\/api\/push\/(?:messages|campaigns)\/:id$/;
/** Routes of backends whose numbers are stored and compared. */
const STORES_NUMBERS =
  /^\/api\/(?:installations\/(?:attributes|track|trackBulk|trackPurchase|trackRevenue)|segments(?:\/(?::id|count|explain|export))?)$/;

function rulesOf(route: string): BodyRules {
  const holdsContent = SENDS.test(route) || SAVES_CONTENT.test(route);
  return {
    isReadInFull: holdsContent || READ_IN_FULL.test(route),
    hasExactIntegers: holdsContent || CHANGES_CONTENT.test(route) || STORES_NUMBERS.test(route),
  };
}

/** JSON is UTF-8 (RFC 8259 §8.1), and compressed bodies are not supported. */
function checkCoding({ headers }: FastifyRequest): void {
  if (isReadableCharset(headers['content-type'] ?? '') && isReadableCoding(headers['content-encoding'] ?? '', false))
    return;
  throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json in UTF-8, not compressed');
}

const API_PATH = '/api/';
/** The endpoints for reports of SMS providers: the only routes of the API that accept forms. */
const REPORTS_PATH = '/api/sms/status/';
const FORM = 'application/x-www-form-urlencoded';
const IS_FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** A type that no parser knows. */
const REFUSED_FORM = 'application/x-postrider-refused-form';

const MAX_FORM_BYTES = 16_384;

/**
 * Reads forms (application/x-www-form-urlencoded). Only the routes for reports of SMS providers get here, see
 * `refuseForms`.
 */
export function readForms(fastify: FastifyInstance): void {
  fastify.addContentTypeParser<string>(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
    done(null, readForm(body)),
  );
}

/**
 * Refuses forms on all other routes of the API, whatever their size. Fastify chooses the parser by media type alone and
 * would read the form first, with the size that reports may have; with another type name it refuses the body at once.
 * Tools such as curl call every body a form unless they are told what it is. Pages outside the API have parsers of their
 * own.
 */
export function refuseForms({ raw: { headers }, routeOptions: { url = API_PATH } }: FastifyRequest): void {
  if (!url.startsWith(API_PATH) || url.startsWith(REPORTS_PATH)) return;
  if (IS_FORM.test(headers['content-type'] ?? '')) headers['content-type'] = REFUSED_FORM;
}

/** A form's fields. If a name occurs twice, the last one counts. */
function readForm(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}
