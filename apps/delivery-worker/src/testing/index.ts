// What the tests of the whole system use of a delivery worker's services.
export { FakeSmsSender } from '../sms/testing/fake-sms-sender';
export {
  ANY_CREDENTIALS,
  type FallbackWorker,
  startFallbackWorker,
  storeSmsCredentials,
} from '../sms/testing/fallback-worker';
export { FakeSender } from './fake-sender';
export { startTestWorker, storeCredentials, type TestWorker } from './test-worker';
