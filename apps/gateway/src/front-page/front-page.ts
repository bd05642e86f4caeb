import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { markEndpoints } from '../auth/endpoint-access.decorator';
import { sendError } from '../http/errors/error-body';

/** Follows the system's light or dark. */
const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#16211e, #f2efe6); --quiet: light-dark(#5a6b66, #a3b3ad); --line: light-dark(#d9ddd6, #32403b); --mark: light-dark(#1c6758, #57b9a1); }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f7f6f1, #141c19); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: min(26rem, calc(100vw - 2rem)); padding: 2rem 0; }
h1 { font: 600 2.2rem/1.2 Georgia, serif; letter-spacing: -.02em; margin: 0; }
p { margin: .3rem 0 1.6rem; color: var(--quiet); }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
a { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem .25rem; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; }
a:hover b, a:focus-visible b { color: var(--mark); text-decoration: underline; }
span { color: var(--quiet); text-align: end; }
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Postrider</title>
<link rel="icon" href="/panel/favicon.svg">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Postrider</h1>
<p>This is the gateway of a push messaging service.</p>
<ul>
<li><a href="/panel"><b>Panel</b> <span>send, watch, find out why</span></a></li>
<li><a href="/guide/"><b>Guide</b> <span>how everything works</span></a></li>
<li><a href="/docs"><b>API reference</b> <span>every operation</span></a></li>
<li><a href="/health/ready"><b>Health</b> <span>the state of the service</span></a></li>
</ul>
</main>
</body>
</html>
`;

/** Loads nothing but the icon, and runs nothing. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Answers `/` with a page that links to the panel, the guide, the API reference and health. A host of trackers, whose
 * visitors can be anybody, has no such page.
 */
@Injectable()
export class FrontPage {
  readonly #trackerHost: string | null;

  constructor(@Inject(CONFIG) { trackerUrl, publicUrl }: Pick<Config, 'trackerUrl' | 'publicUrl'>) {
    const host = trackerUrl === undefined ? null : new URL(trackerUrl).host;
    this.#trackerHost = publicUrl !== undefined && new URL(publicUrl).host === host ? null : host;
  }

  /** Adds the route. Call it before the server listens. */
  install(fastify: FastifyInstance): void {
    void fastify.register((scope, _options, done) => {
      markEndpoints(scope, { kind: 'anybody' });
      scope.get('/', (request, reply) => this.#show(request, reply));
      done();
    });
  }

  #show({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (this.#trackerHost !== null && headers.host?.toLowerCase() === this.#trackerHost) {
      return sendError(reply, new DomainError('NOT_FOUND', 'There is nothing here'));
    }
    return reply
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(PAGE);
  }
}
