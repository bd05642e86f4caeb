/** Servers say once or twice that they are at work (RFC 9110 §15.2), and we ask for none of it. */
const MOST_INTERIM = 20;

/** A server that sends interim answers without end: each costs us more than it costs the server. */
class TooManyInterimAnswers extends Error {
  readonly code = 'TOO_MANY_INTERIM_ANSWERS';

  constructor() {
    super(`The server sent more than ${MOST_INTERIM} interim answers`);
  }
}

/**
 * Returns a function that is called for each interim answer to one request of undici.
 *
 * @throws (the function) an error that ends the request and its connection, once there were too many interim answers
 */
export function limitInterimAnswers(): () => void {
  let count = 0;
  return () => {
    if (++count > MOST_INTERIM) throw new TooManyInterimAnswers();
  };
}
