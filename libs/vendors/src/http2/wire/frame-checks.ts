import { ERROR, Http2ProtocolError, MAX_WINDOW } from './frame';

/**
 * How much a WINDOW_UPDATE adds (RFC 9113 §6.9).
 *
 * @throws Http2ProtocolError when it is none
 */
export function incrementOf(payload: Buffer): number {
  if (payload.length !== 4) throw frameSizeError('WINDOW_UPDATE');
  const increment = payload.readUInt32BE(0) & MAX_WINDOW;
  if (increment === 0) throw protocolError('A WINDOW_UPDATE of nothing');
  return increment;
}

/** What the server did is against the protocol. */
export function protocolError(message: string): Http2ProtocolError {
  return new Http2ProtocolError(ERROR.PROTOCOL_ERROR, message);
}

/** A frame is shorter or longer than its type may be. */
export function frameSizeError(frame: string): Http2ProtocolError {
  return new Http2ProtocolError(ERROR.FRAME_SIZE_ERROR, `A ${frame} frame has a wrong length`);
}
