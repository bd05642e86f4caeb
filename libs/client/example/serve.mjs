// Bundles the example and serves it: `node libs/client/example/serve.mjs [port]`.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExample } from './build.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a folder on this machine alone. @returns its address */
export async function serve(folder, port = 0) {
  const server = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = normalize(pathname === '/' ? '/index.html' : pathname);
    const type = TYPES[extname(path)];
    const bytes = type === undefined ? null : await readFile(join(folder, path)).catch(() => null);
    answer.writeHead(bytes ? 200 : 404, { 'content-type': `${type ?? 'text/plain'}; charset=utf-8` });
    answer.end(bytes ?? 'Not found');
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(import.meta.dirname, 'dist');
  await buildExample(folder);
  const { url } = await serve(folder, Number(process.argv[2] ?? 8080));
  console.log(url);
}
