/** The supported versions of MQTT: 3.1, 3.1.1 and 5. */
export type ProtocolVersion = 3 | 4 | 5;

/** Why a packet ends its connection. */
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

/** A packet that ends its connection (MQTT 5 §4.13, MQTT 3.1.1 §4.8). */
export class PacketRefused extends Error {
  constructor(
    readonly refusal: Refusal,
    message: string,
  ) {
    super(message);
    this.name = 'PacketRefused';
  }
}

/** Why the edge closes a connection. */
export type CloseCause =
  Refusal | 'taken_over' | 'keep_alive' | 'shutting_down' | 'token_revoked' | 'not_owner' | 'too_slow' | 'unavailable';

/** DISCONNECT reason codes of MQTT 5 (§3.14.2.1). Older versions have none: the connection just closes. */
export const DISCONNECT_CODE: Record<CloseCause, number> = {
  malformed: 0x81,
  protocol_error: 0x82,
  bad_protocol: 0x82,
  not_authorized: 0x87,
  token_revoked: 0x87,
  not_owner: 0x87,
  unavailable: 0x89,
  shutting_down: 0x8b,
  keep_alive: 0x8d,
  taken_over: 0x8e,
  receive_maximum: 0x93,
  topic_alias: 0x94,
  packet_too_large: 0x95,
  rate_too_high: 0x96,
  too_slow: 0x97,
  retain_not_supported: 0x9a,
  qos_not_supported: 0x9b,
  subscription_identifiers: 0xa1,
};

/** Why a CONNECT is refused. */
export type ConnectRefusal =
  | 'bad_protocol'
  | 'bad_client_id'
  | 'bad_credentials'
  | 'not_authorized'
  | 'unavailable'
  | 'busy'
  | 'bad_method'
  /** A will that the CONNACK of MQTT 5 declares unavailable. Older versions are not refused for these. */
  | 'qos_not_supported'
  | 'retain_not_supported';

/** CONNACK return codes of MQTT 3.1 and 3.1.1 (§3.2.2.3). */
export const CONNACK_RETURN_CODE: Record<ConnectRefusal, number> = {
  bad_protocol: 1,
  bad_client_id: 2,
  unavailable: 3,
  busy: 3,
  bad_credentials: 4,
  bad_method: 4,
  not_authorized: 5,
  qos_not_supported: 5,
  retain_not_supported: 5,
};

/** CONNACK reason codes of MQTT 5 (§3.2.2.2). */
export const CONNACK_REASON_CODE: Record<ConnectRefusal, number> = {
  bad_protocol: 0x84,
  bad_client_id: 0x85,
  bad_credentials: 0x86,
  not_authorized: 0x87,
  unavailable: 0x88,
  busy: 0x89,
  bad_method: 0x8c,
  retain_not_supported: 0x9a,
  qos_not_supported: 0x9b,
};

/** A refused subscription: SUBACK of MQTT 5 (§3.9.3), and of 3.1.1 (§3.9.3). */
export const SUBACK_REFUSED = { not_authorized: 0x87, quota: 0x97, shared: 0x9e, unavailable: 0x80 } as const;
/** The same in a SUBACK of MQTT 3.1.1 (§3.9.3), which knows one code for every refusal. */
export const SUBACK_FAILURE = 0x80;

/** UNSUBACK of MQTT 5 (§3.11.3). */
export const UNSUBACK_CODE = { done: 0x00, none: 0x11 } as const;

/** PUBACK and PUBREC of MQTT 5 (§3.4.2.1): the answer to a client's PUBLISH. */
export const PUBACK_CODE = { taken: 0x00, invalid: 0x99, quota: 0x97, unknown: 0x83 } as const;
