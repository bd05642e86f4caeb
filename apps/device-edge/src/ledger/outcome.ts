import type { OutgoingDelivery } from '../session/outgoing-delivery';
import type { Session } from '../session/session';

/** What became of a delivery of a session, and when. */
export interface Outcome {
  session: Session;
  delivery: Pick<OutgoingDelivery, 'message' | 'isKept' | 'page'>;
  at: Date;
}

/** How a delivery ends that can never be published. */
export interface Failure {
  state: 'failed' | 'skipped';
  errorCode: string;
  reason: string;
}
