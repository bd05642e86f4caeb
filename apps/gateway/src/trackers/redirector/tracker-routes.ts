import type { Logger } from '@postrider/platform';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ClickQuery } from './choose-way';
import { fillIn } from './click-answer';
import type { FollowedClick, FollowLink } from './follow-link.service';
import { TRACKER_PATH } from '../tracker-address';
import { ANSWER_HEADERS, PAGE_HEADERS } from './tracker-headers';
import { NOT_FOUND_PAGE } from './tracker-page';

/**
 * Serves tracker links and the tracked links of messages to whoever clicks: straight from Fastify, with nothing between that
 * a token or a body needs. What comes again is answered earlier (`answerClick`).
 */
export function addTrackerRoutes(scope: FastifyInstance, followLink: FollowLink, logger: Logger): void {
  scope.get<{ Params: { '*': string } }>(`${TRACKER_PATH}/l/*`, (request, reply) => {
    const link = followLink.clickLink(request.params['*'], request.raw);
    return link === null ? sendNotFound(reply) : sendRedirect(reply, link);
  });
  scope.get<{ Params: { trackerId: string }; Querystring: ClickQuery }>(
    `${TRACKER_PATH}/:trackerId`,
    (request, reply) => {
      const { query } = request;
      const followed = followLink.click({ url: request.url, trackerId: request.params.trackerId, query }, request.raw);
      if (!(followed instanceof Promise)) return answer(reply, followed);
      return followed.then(
        (click) => answer(reply, click),
        (error: unknown) => {
          logger.warn({ err: error }, 'tracker.unavailable');
          return sendPage(reply.code(503).header('retry-after', '5'), NOT_FOUND_PAGE);
        },
      );
    },
  );
  for (const none of ['/', '/*']) scope.get(TRACKER_PATH + none, (_request, reply) => sendNotFound(reply));
}

function answer(reply: FastifyReply, click: FollowedClick | null): FastifyReply {
  if (click === null) return sendNotFound(reply);
  const { answer: prepared, token } = click;
  const text = fillIn(prepared, token);
  void reply.header('x-click-token', token);
  return prepared.status === 302 ? sendRedirect(reply, text) : sendPage(reply.code(prepared.status), text);
}

/** @param url as browsers read it: a header takes ASCII alone */
function sendRedirect(reply: FastifyReply, url: string): FastifyReply {
  return withHeaders(reply, ANSWER_HEADERS).code(302).header('location', url).send();
}

function sendNotFound(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(404), NOT_FOUND_PAGE);
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return withHeaders(withHeaders(reply, ANSWER_HEADERS), PAGE_HEADERS).send(html);
}

function withHeaders(reply: FastifyReply, headers: readonly string[]): FastifyReply {
  for (let place = 0; place < headers.length; place += 2) {
    void reply.header(headers[place] ?? '', headers[place + 1]);
  }
  return reply;
}
