// What the tests of the whole system use of an audience worker's services.
export type { ResolveMessageProcessor } from '../resolving/resolve-message.processor';
export { startResolving } from './start-resolving';
