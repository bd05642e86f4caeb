/** Why a connection is ended because of what it sent. */
export type Refusal =
  | 'malformed'
  | 'protocol_error'
  | 'packet_too_large'
  | 'receive_maximum'
  | 'topic_alias'
  | 'not_authorized'
  | 'rate_too_high'
  | 'qos_not_supported'
  | 'retain_not_supported'
  | 'subscription_identifiers'
  | 'bad_protocol';

/** A packet that no connection survives (MQTT 5 §4.13, MQTT 3.1.1 §4.8). */
export class PacketRefused extends Error {
  constructor(
    readonly refusal: Refusal,
    message: string,
  ) {
    super(message);
    this.name = 'PacketRefused';
  }
}
