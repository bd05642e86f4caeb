import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { OutageWarning } from '@postrider/persistence';
import { CONFIG, type GatewayConfig, LOGGER, type Logger } from '@postrider/platform';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { markEndpoints } from '../../auth/endpoint-access.decorator';
import type { EarlyAnswers } from '../../http/server';
import { HttpMetrics } from '../../http/observability/request-log.service';
import { TRACKER_PATH, trackerRewrite } from '../tracker-address';
import { givenRequestId, type Rewrite } from '../../http/fastify-options';
import { type FollowedClick, FollowLink } from './follow-link.service';
import { fillIn } from './click-answer';
import { newClickToken } from '../click-token';
import type { ClickQuery } from './choose-way';
import { NOT_FOUND_PAGE, PAGE_POLICY } from './tracker-page';

/**
 * Redirects people who click a tracker link or a tracked link of a message. Clicks on links that were followed lately
 * are answered early, before Fastify looks for a route. All others are answered by the routes of a plugin, on which no
 * access token is checked.
 */
@Injectable()
export class LinkRedirector {
  constructor(
    private readonly followLink: FollowLink,
    private readonly metrics: HttpMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  /** Adds the routes, and what answers clicks early. Call it before the server listens. */
  install(fastify: FastifyInstance, early: EarlyAnswers): void {
    const { followLink, metrics, logger } = this;
    const rewrite = trackerRewrite(this.config);
    early.use((request, response) => answerClick(request, response, { followLink, rewrite, logger, metrics }));
    void fastify.register((scope, _options, done) => {
      markEndpoints(scope, { kind: 'anybody' });
      addTrackerRoutes(scope, followLink, logger);
      done();
    });
  }
}

const TRACKERS = `${TRACKER_PATH}/`;
const TRACKED_LINKS = `${TRACKER_PATH}/l/`;
const UNAVAILABLE = 'tracker.unavailable';

/** What answering clicks early needs. */
interface ClickAnswering {
  followLink: FollowLink;
  /** Maps requests under `TRACKER_URL` to the routes of trackers. */
  rewrite: Rewrite;
  logger: Logger;
  metrics: HttpMetrics;
}

/**
 * Answers a click on a link that was followed lately, or on a tracked link of a message. A click whose parameters or
 * tracker must be looked up is handled like any other request.
 *
 * @returns true if it was one, and is answered
 */
function answerClick(request: IncomingMessage, response: ServerResponse, answering: ClickAnswering): boolean {
  if (request.method !== 'GET') return false;
  const { followLink, rewrite, logger, metrics } = answering;
  const url = rewrite(request) ?? request.url ?? '';
  if (!url.startsWith(TRACKERS)) return false;
  try {
    const isDone = url.startsWith(TRACKED_LINKS)
      ? isLinkAnswered(followLink.clickLink(pathOf(url).slice(TRACKED_LINKS.length), request), request, response)
      : isClickAnswered(followLink.clickAgain(url, request), request, response);
    if (isDone) metrics.countClick();
    return isDone;
  } catch (error) {
    logger.warn({ err: error }, UNAVAILABLE);
    return response.headersSent;
  }
}

function isLinkAnswered(link: string | null, request: IncomingMessage, response: ServerResponse): boolean {
  if (link === null) return false;
  const headers = headersOf(request, newClickToken());
  headers.push('location', link, 'content-length', '0');
  response.writeHead(302, headers).end();
  return true;
}

function isClickAnswered(
  click: FollowedClick | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (click === undefined) return false;
  const { answer, token } = click;
  const text = fillIn(answer, token);
  const headers = headersOf(request, token);
  if (answer.status === 302) {
    headers.push('x-click-token', token, 'location', text, 'content-length', '0');
    response.writeHead(302, headers).end();
  } else {
    headers.push('x-click-token', token, ...PAGE_HEADERS, 'content-length', String(Buffer.byteLength(text)));
    response.writeHead(answer.status, headers).end(text);
  }
  return true;
}

function headersOf(request: IncomingMessage, id: string): string[] {
  const headers = ANSWER_HEADERS.slice();
  headers.push('x-request-id', givenRequestId(request) ?? id);
  return headers;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/**
 * Serves tracker links and the tracked links of messages directly from Fastify, without the stages for tokens and
 * bodies. Repeated clicks are answered earlier (`answerClick`).
 */
function addTrackerRoutes(scope: FastifyInstance, followLink: FollowLink, logger: Logger): void {
  const unavailable = new OutageWarning(logger, UNAVAILABLE);
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
          unavailable.log(error);
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

/** @param url in the form for browsers: a header contains ASCII only */
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

/** Headers of every answer to a click: names and values in turn. */
const ANSWER_HEADERS: readonly string[] = [
  ...['x-content-type-options', 'nosniff'],
  ...['cache-control', 'no-store'],
  ...['referrer-policy', 'no-referrer'],
  ...['x-robots-tag', 'noindex'],
];

/** Further headers of every page. */
const PAGE_HEADERS: readonly string[] = [
  ...['content-security-policy', PAGE_POLICY],
  ...['content-type', 'text/html; charset=utf-8'],
];
