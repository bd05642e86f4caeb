import type { IncomingMessage } from 'node:http';

const MOST_BYTES = 64 * 1_048_576;
const MOST_MS = 5_000;

/**
 * Reads what is left of a request's body and throws it away, so that a sender who writes first and reads later sees our
 * answer instead of a reset connection. Gives up after 64 MiB or 5 s.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((done) => {
    let bytes = 0;
    const timer = setTimeout(finish, MOST_MS);
    function count(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) finish();
    }
    function finish(): void {
      clearTimeout(timer);
      request.off('data', count).off('end', finish).off('close', finish).off('error', finish);
      done();
    }
    request.on('data', count).once('end', finish).once('close', finish).once('error', finish).resume();
  });
}
