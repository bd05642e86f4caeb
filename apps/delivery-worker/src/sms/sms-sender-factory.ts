import type { JsonObject } from '@postrider/domain';
import type { SmsSender } from '@postrider/vendors';

/** Nest injection token of the `SmsSenderFactory`. */
export const SMS_SENDER_FACTORY = Symbol('SmsSenderFactory');

/** Makes the sender of one application's SMS credentials. @throws when the credentials are of no use */
export type SmsSenderFactory = (credentials: JsonObject) => SmsSender;
