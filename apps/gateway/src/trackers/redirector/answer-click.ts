import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@postrider/platform';
import type { Rewrite } from '../../http/fastify-options';
import type { HttpMetrics } from '../../http/observability/http-metrics';
import { givenRequestId } from '../../http/request-id';
import { fillIn } from './click-answer';
import { newClickToken } from './click-token';
import type { FollowedClick, FollowLink } from './follow-link.service';
import { TRACKER_PATH } from '../tracker-address';
import { ANSWER_HEADERS, PAGE_HEADERS } from './tracker-headers';

const TRACKERS = `${TRACKER_PATH}/`;
const TRACKED_LINKS = `${TRACKER_PATH}/l/`;

/** What answering clicks early takes. */
export interface ClickAnswering {
  followLink: FollowLink;
  /** Leads requests under `TRACKER_URL` to where trackers are served. */
  rewrite: Rewrite;
  logger: Logger;
  metrics: HttpMetrics;
}

/**
 * Answers a click on a link that was followed lately, or on a tracked link of a message. What needs a look at its parameters or
 * the database goes the way of every request.
 *
 * @returns whether it was one, and is answered
 */
export function answerClick(request: IncomingMessage, response: ServerResponse, answering: ClickAnswering): boolean {
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
    logger.warn({ err: error }, 'tracker.unavailable');
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
