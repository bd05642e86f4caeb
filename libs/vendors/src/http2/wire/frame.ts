/** Types of frames (RFC 9113 §6). */
export const FRAME = {
  DATA: 0x0,
  HEADERS: 0x1,
  PRIORITY: 0x2,
  RST_STREAM: 0x3,
  SETTINGS: 0x4,
  PUSH_PROMISE: 0x5,
  PING: 0x6,
  GOAWAY: 0x7,
  WINDOW_UPDATE: 0x8,
  CONTINUATION: 0x9,
} as const;

/** Flags of frames; ACK and END_STREAM are the same bit of different types. */
export const FLAG = { END_STREAM: 0x1, ACK: 0x1, END_HEADERS: 0x4, PADDED: 0x8, PRIORITY: 0x20 } as const;

/** Names of settings (RFC 9113 §6.5.2). */
export const SETTING = {
  HEADER_TABLE_SIZE: 0x1,
  ENABLE_PUSH: 0x2,
  MAX_CONCURRENT_STREAMS: 0x3,
  INITIAL_WINDOW_SIZE: 0x4,
  MAX_FRAME_SIZE: 0x5,
  MAX_HEADER_LIST_SIZE: 0x6,
} as const;

/** Error codes (RFC 9113 §7), by name. */
export const ERROR = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  INTERNAL_ERROR: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  SETTINGS_TIMEOUT: 0x4,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  CONNECT_ERROR: 0xa,
  ENHANCE_YOUR_CALM: 0xb,
  INADEQUATE_SECURITY: 0xc,
  HTTP_1_1_REQUIRED: 0xd,
} as const;

const ERROR_NAMES = new Map<number, string>(Object.entries(ERROR).map(([name, code]) => [code, name]));

/** The name of an error code: `INTERNAL_ERROR`; `HTTP2_<n>` when the standard has none. */
export function errorName(code: number): string {
  return ERROR_NAMES.get(code) ?? `HTTP2_${code}`;
}

/** Type, flags, stream and length stand in front of every frame (RFC 9113 §4.1). */
export const FRAME_HEADER_BYTES = 9;

/**
 * The frame size that either side may send without an agreement, and that we never raise for ourselves (RFC 9113
 * §6.5.2).
 */
export const DEFAULT_MAX_FRAME_BYTES = 16_384;

/** A stream's, and the connection's, window before anyone changes it (RFC 9113 §6.9.2). */
export const DEFAULT_WINDOW = 65_535;

/** The largest window that a stream or the connection can have (RFC 9113 §6.9.1). */
export const MAX_WINDOW = 2_147_483_647;

/** The first bytes of a client (RFC 9113 §3.4). */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** The server violated the standard: the connection ends, with this code in our GOAWAY. */
export class Http2ProtocolError extends Error {
  constructor(
    readonly errorCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** What the server began with is not SETTINGS: it does not speak HTTP/2. */
export class NotHttp2Error extends Http2ProtocolError {}
