import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Logger } from '@postrider/platform';
import { givenRequestId } from '../../http/request-id';
import { fillIn } from './click-answer';
import { newClickToken } from './click-token';
import type { FollowedClick, FollowLink } from './follow-link.service';
import { type Rewrite, TRACKER_PATH } from '../tracker-address';
import { ANSWER_HEADERS, PAGE_HEADERS } from './tracker-headers';

const TRACKERS = `${TRACKER_PATH}/`;
const TRACKED_LINKS = `${TRACKER_PATH}/l/`;

/** What answering clicks at once takes. */
export interface ClickAnswering {
  followLink: FollowLink;
  /** Leads requests under `TRACKER_URL` to where trackers are served. */
  rewrite: Rewrite;
  logger: Logger;
  /** Is told of each click that was answered. */
  count: () => void;
}

/**
 * Answers clicks before any other listener of the server sees them: those on links that were followed lately, and on tracked
 * links of messages. What needs a look at its parameters or the database goes the way of every request, as do all once the
 * server closes.
 */
export function answerClicksFirst(server: Server, answering: ClickAnswering): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (server.listening && isAnswered(request, response, answering)) return;
    for (const other of others) other.call(server, request, response);
  });
}

function isAnswered(request: IncomingMessage, response: ServerResponse, answering: ClickAnswering): boolean {
  if (request.method !== 'GET') return false;
  const { followLink, rewrite, logger, count } = answering;
  const url = rewrite(request) ?? request.url ?? '';
  if (!url.startsWith(TRACKERS)) return false;
  try {
    const isDone = url.startsWith(TRACKED_LINKS)
      ? isLinkAnswered(followLink.clickLink(pathOf(url).slice(TRACKED_LINKS.length), request), request, response)
      : isClickAnswered(followLink.clickAgain(url, request), request, response);
    if (isDone) count();
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
