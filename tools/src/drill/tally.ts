/** A message to one device that a gateway accepted. */
export interface Sent {
  /** The text, which no other message has. */
  text: string;
  token: string;
  /** When the answer of the gateway arrived, in milliseconds. */
  at: number;
}

/** A message that the vendor accepted. */
export interface Received {
  text: string;
  token: string;
  at: number;
}

/** The findings of a drill. */
export interface Tally {
  sent: number;
  /** Accepted by a gateway, never by the vendor. */
  missing: Sent[];
  /** How many times the vendor accepted a message again. */
  repeated: number;
  /** Accepted by the vendor, but by no gateway for that device. */
  unasked: Received[];
  /** Accepted by the vendor more than `lateAfterMs` after the gateway's answer. */
  late: number;
  /** The longest time in which messages waited and the vendor got none. */
  stoodStillMs: number;
  /** When that time began. */
  stoodStillAt: number | null;
}

/** Compares the messages that gateways accepted with those that the vendor got. */
export function tally(sent: readonly Sent[], received: readonly Received[], lateAfterMs: number): Tally {
  const arrivals = new Map<string, number[]>();
  for (const { text, token, at } of received) {
    const key = keyOf(text, token);
    const times = arrivals.get(key);
    if (times) times.push(at);
    else arrivals.set(key, [at]);
  }
  const asked = new Set(sent.map(({ text, token }) => keyOf(text, token)));
  const firsts = sent.map((message) => {
    const times = arrivals.get(keyOf(message.text, message.token)) ?? [];
    return { message, sentAt: message.at, first: times.length === 0 ? null : Math.min(...times), times: times.length };
  });
  return {
    sent: sent.length,
    missing: firsts.filter(({ first }) => first === null).map(({ message }) => message),
    repeated: firsts.reduce((sum, { times }) => sum + Math.max(0, times - 1), 0),
    unasked: received.filter(({ text, token }) => !asked.has(keyOf(text, token))),
    late: firsts.filter(({ sentAt, first }) => first !== null && first - sentAt > lateAfterMs).length,
    ...longestStandstill(firsts),
  };
}

function keyOf(text: string, token: string): string {
  return `${token} ${text}`;
}

type Wait = { sentAt: number; first: number | null };

/** A message that never came counts for nothing here: it is missing. */
function longestStandstill(waits: readonly Wait[]): Pick<Tally, 'stoodStillMs' | 'stoodStillAt'> {
  const came = waits.flatMap(({ sentAt, first }) => (first === null ? [] : [{ sentAt, first }]));
  came.sort((one, other) => one.first - other.first);
  // The earliest message that still waits after each arrival, from the last arrival on.
  const earliest: number[] = [];
  for (let place = came.length - 1; place >= 0; place--)
    earliest[place] = Math.min(earliest[place + 1] ?? Infinity, came[place]?.sentAt ?? Infinity);
  let longest = { stoodStillMs: 0, stoodStillAt: null as number | null };
  for (const [place, { first }] of came.entries()) {
    const since = Math.max(came[place - 1]?.first ?? -Infinity, earliest[place] ?? first);
    if (first - since > longest.stoodStillMs) longest = { stoodStillMs: first - since, stoodStillAt: since };
  }
  return longest;
}
