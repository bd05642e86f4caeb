import { createECDH, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The values that a browser hands to its page: where to send, and the keys for encryption. */
export interface WebPushSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** The receiving half of a subscription. */
export interface SubscriptionKeys {
  privateKey: Buffer;
  publicKey: Buffer;
  auth: Buffer;
}

const NONCE_BYTES = 12;
const BINDING_BYTES = 8;
const TAG_BYTES = 8;
const ID_CHARACTERS = Math.ceil(((NONCE_BYTES + BINDING_BYTES + TAG_BYTES) * 4) / 3);
const UNBOUND = Buffer.alloc(BINDING_BYTES);

/**
 * Makes Web Push subscriptions and recognises them.
 * Nothing is stored: a subscription's keys are derived from its id and one seed, so a million of them cost no memory
 * and all outlive a restart. The id also carries the application server key that it is bound to (RFC 8292 §4), and a
 * proof that it was made here.
 */
export class Subscriptions {
  constructor(private readonly seed: string) {}

  /**
   * Makes a subscription.
   *
   * @param origin where the simulator can be reached
   * @param applicationServerKey the VAPID public key that alone may send to it; anyone when left out
   * @param prefix how its id begins, for fault rules and token conventions
   */
  make(origin: string, applicationServerKey?: string, prefix = ''): WebPushSubscription {
    const binding = applicationServerKey === undefined ? UNBOUND : bindingOf(applicationServerKey);
    const named = Buffer.concat([randomBytes(NONCE_BYTES), binding]);
    const id = prefix + Buffer.concat([named, this.tagOf(prefix, named)]).toString('base64url');
    const keys = this.keysOf(id);
    return {
      endpoint: `${origin}/webpush/${id}`,
      keys: { p256dh: keys.publicKey.toString('base64url'), auth: keys.auth.toString('base64url') },
    };
  }

  /** True if the id is of a subscription made here. */
  isKnown(id: string): boolean {
    const { prefix, bytes } = parseId(id);
    if (bytes.length !== NONCE_BYTES + BINDING_BYTES + TAG_BYTES) return false;
    return timingSafeEqual(this.tagOf(prefix, bytes.subarray(0, -TAG_BYTES)), bytes.subarray(-TAG_BYTES));
  }

  /** True if the owner of a VAPID key may send to a known subscription. */
  mayBeSentToBy(id: string, applicationServerKey: string): boolean {
    const binding = parseId(id).bytes.subarray(NONCE_BYTES, NONCE_BYTES + BINDING_BYTES);
    return binding.equals(UNBOUND) || binding.equals(bindingOf(applicationServerKey));
  }

  /** Returns the keys to decrypt the messages to a known subscription. */
  keysOf(id: string): SubscriptionKeys {
    const ecdh = createECDH('prime256v1');
    const privateKey = this.derive('p256', id);
    ecdh.setPrivateKey(privateKey);
    return { privateKey, publicKey: ecdh.getPublicKey(), auth: this.derive('auth', id).subarray(0, 16) };
  }

  private tagOf(prefix: string, named: Buffer): Buffer {
    return this.derive('tag', `${prefix}|${named.toString('base64url')}`).subarray(0, TAG_BYTES);
  }

  private derive(purpose: string, id: string): Buffer {
    return createHmac('sha256', this.seed).update(`${purpose}:${id}`).digest();
  }
}

function parseId(id: string): { prefix: string; bytes: Buffer } {
  return { prefix: id.slice(0, -ID_CHARACTERS), bytes: Buffer.from(id.slice(-ID_CHARACTERS), 'base64url') };
}

function bindingOf(applicationServerKey: string): Buffer {
  // Bytes are compared, because some clients write base64url with padding.
  const key = Buffer.from(applicationServerKey, 'base64url');
  return createHash('sha256').update(key).digest().subarray(0, BINDING_BYTES);
}
