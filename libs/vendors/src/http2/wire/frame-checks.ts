import { DEFAULT_MAX_FRAME_BYTES, ERROR, Http2ProtocolError, MAX_WINDOW, SETTING } from './frame';

/**
 * Returns how much a WINDOW_UPDATE adds; 0 is an error of the stream or connection whose window it names (RFC 9113
 * §6.9).
 * @throws Http2ProtocolError if the payload is not an increment
 */
export function incrementOf(payload: Buffer): number {
  if (payload.length !== 4) throw frameSizeError('WINDOW_UPDATE');
  return payload.readUInt32BE(0) & MAX_WINDOW;
}

/**
 * The settings in a SETTINGS frame, each within its range (RFC 9113 §6.5). Unknown ones are among them.
 *
 * @throws Http2ProtocolError when one of them is not allowed
 */
export function settingsIn(payload: Buffer): [setting: number, value: number][] {
  if (payload.length % 6 !== 0) throw frameSizeError('SETTINGS');
  const settings: [number, number][] = [];
  for (let at = 0; at < payload.length; at += 6) {
    const [setting, value] = [payload.readUInt16BE(at), payload.readUInt32BE(at + 2)];
    checkSetting(setting, value);
    settings.push([setting, value]);
  }
  return settings;
}

/** RFC 9113 §6.5.2. */
function checkSetting(setting: number, value: number): void {
  // A server may only say that it does not push, which goes without saying.
  if (setting === SETTING.ENABLE_PUSH && value !== 0) throw protocolError('A server enables push');
  if (setting === SETTING.INITIAL_WINDOW_SIZE && value > MAX_WINDOW) {
    throw new Http2ProtocolError(ERROR.FLOW_CONTROL_ERROR, 'A window is too wide');
  }
  if (setting === SETTING.MAX_FRAME_SIZE && (value < DEFAULT_MAX_FRAME_BYTES || value > 16_777_215)) {
    throw protocolError('SETTINGS_MAX_FRAME_SIZE is out of its range');
  }
}

/** Returns the error for a server that violates the protocol. */
export function protocolError(message: string): Http2ProtocolError {
  return new Http2ProtocolError(ERROR.PROTOCOL_ERROR, message);
}

/** A frame is shorter or longer than its type may be. */
export function frameSizeError(frame: string): Http2ProtocolError {
  return new Http2ProtocolError(ERROR.FRAME_SIZE_ERROR, `A ${frame} frame has a wrong length`);
}
