// What the tests of the whole system use of a gateway's services.
export { showMessage } from '../messages/reading/show-message';
export { AcceptSends } from './accept-sends';
