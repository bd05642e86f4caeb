import type { JsonObject, PushVendor } from '@postrider/domain';
import type { Sender } from '@postrider/vendors';

/** Nest injection token of the `SenderFactory`. */
export const SENDER_FACTORY = Symbol('SenderFactory');

/** Makes the sender of one application's credentials at one vendor. @throws when the credentials are of no use */
export type SenderFactory = (vendor: PushVendor, credentials: JsonObject) => Sender;
