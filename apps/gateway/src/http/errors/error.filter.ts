import { types } from 'node:util';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import { InvalidRequest } from '@postrider/domain';
import { describeFailure, LOGGER, type Logger, RepeatedWarning } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BodyDeadlines } from '../body-deadlines';
import { factsOf } from '../../auth/caller';
import { BeginAgain } from './begin-again.service';
import { answerTo, type ErrorAnswer } from './error-body';

/** How a caller proves who it is: by an access token (RFC 6750, section 3; RFC 9110 asks for it in every answer 401). */
const CHALLENGE = 'Bearer realm="Postrider"';

/** Turns every error into an answer (`answerTo`). Logs outages and unexpected errors. */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  readonly #refused: RepeatedWarning;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly deadlines: BodyDeadlines,
    private readonly beginAgain: BeginAgain,
  ) {
    this.#refused = new RepeatedWarning(logger, 'request.refused');
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = this.beginAgain.after(request, reply, thrown, (late) => this.#answer(request, reply, late));
    if (error !== null) this.#answer(request, reply, error);
  }

  #answer(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    // The client hung up in the middle of its body: it reads no answer, and the error of its socket is not one of the
    // database.
    const isGone = request.raw.destroyed && !request.raw.complete;
    const answer = answerTo(
      isGone ? new InvalidRequest([{ path: '', message: 'ended before it was complete' }]) : error,
    );
    factsOf(request).errorCode = answer.code;
    if (answer.status >= 500) this.#log(request, answer, error);
    if (reply.sent) return;
    this.#discardBody(request, reply);
    if (answer.status === 401) void reply.header('www-authenticate', CHALLENGE);
    if (answer.retryAfterSeconds !== undefined) void reply.header('retry-after', String(answer.retryAfterSeconds));
    void reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
  }

  /** Lets the answer be sent at once, on a connection that stays open, while the rest of the body arrives. */
  #discardBody(request: FastifyRequest, reply: FastifyReply): void {
    reply.removeHeader('connection');
    this.deadlines.discard(request);
  }

  /**
   * Logs an outage as one short line a minute, and an unexpected error in full. Each request has its line `request.answered` beside it,
   * with the status and the code.
   */
  #log(request: FastifyRequest, { code }: ErrorAnswer, error: unknown): void {
    const facts = { requestId: request.id, route: request.routeOptions.url };
    if (code === 'INTERNAL') this.logger.error({ ...facts, err: errorOf(error) }, 'request.failed');
    else this.#refused.log({ ...facts, reason: describeFailure(error), code: (error as { code?: unknown }).code });
  }
}

/** Anything can be thrown. */
function errorOf(thrown: unknown): Error {
  return types.isNativeError(thrown) ? thrown : new Error(String(thrown));
}
