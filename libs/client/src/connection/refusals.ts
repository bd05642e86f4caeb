/** Why a connection ended or did not come about (MQTT 5 §2.4), as far as it makes a difference here. */
export const REASON = {
  badClientId: 0x85,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  takenOver: 0x8e,
} as const;

const NAMES = new Map<number, string>([
  [0x81, 'malformed_packet'],
  [0x82, 'protocol_error'],
  [0x85, 'bad_client_id'],
  [0x86, 'bad_credentials'],
  [0x87, 'not_authorized'],
  [0x88, 'unavailable'],
  [0x89, 'busy'],
  [0x8b, 'shutting_down'],
  [0x8d, 'keep_alive'],
  [0x8e, 'taken_over'],
  [0x95, 'packet_too_large'],
  [0x96, 'rate_too_high'],
  [0x97, 'too_slow'],
]);

/** A word for a reason code. Null: nobody said anything. */
export function reasonName(code: number | null): string {
  if (code === null) return 'lost';
  return NAMES.get(code) ?? `reason_0x${code.toString(16)}`;
}

/**
 * Whether trying again is of no use: the token is not good, or somebody else connected under the same name, whom we would only
 * throw out in turn.
 */
export function isFinal(code: number | null): boolean {
  return code === REASON.badCredentials || code === REASON.badClientId || code === REASON.takenOver;
}
