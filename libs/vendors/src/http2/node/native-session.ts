import { createHook } from 'node:async_hooks';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';

/**
 * Node aborts the process (`Assertion failed: (current_nghttp2_memory_) == (0)`, nodejs/node issues 35233 and 39951) if it collects the
 * native object of a session before that of a stream which holds fields of an answer that never became whole. When a session is
 * destroyed, Node drops the session's object at once. It drops a stream's in the next turn of the event loop, or, while the socket
 * still has to take its body, leaves it to the collection of garbage, which has no order.
 */
const keptForStreams = new FinalizationRegistry<object | null>(() => undefined);

/** Keeps the native object of a session until this stream of it is collected. */
export function keepForStream(native: object | null, stream: ClientHttp2Stream): void {
  keptForStreams.register(stream, native);
}

/** @returns the session that `open` opens, and its native object, which Node shows only to hooks */
export function openWithNative(open: () => ClientHttp2Session): { session: ClientHttp2Session; native: object | null } {
  let native: object | null = null;
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'HTTP2SESSION') native = resource;
    },
  }).enable();
  try {
    return { session: open(), native };
  } finally {
    hook.disable();
  }
}
