export { sendOnce } from './sender';
export type { CheckResult, SendCallback, Sender, SenderCapacity, SendRequest } from './sender';
export type { SenderOptions } from './sender-options';
export { createSender } from './create-sender';
export { parseCredentials } from './credentials/parse-credentials';
export type { ParsedCredentials } from './credentials/parse-credentials';
