import { randomBytes } from 'node:crypto';
import type { ArrivedRequest } from '../../wire/exchange';
import { parseJson } from '../../wire/json';
import type { AccessTokens } from '../access-tokens';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Submission, Summary } from '../vendor-api';
import { fcmAccepted, fcmBadRequest, fcmFrontError, fcmRefusal } from './fcm-answers';
import { fcmComplaints, type FcmMessage } from './fcm-checks';

const PATH = /^\/v1\/projects\/([^/]+)\/messages:send$/;
const MESSAGE_ID = 'fake_message_id';

/** FCM's HTTP v1 `messages:send` for one project. */
export class FcmApi implements VendorApi {
  readonly name = 'fcm';
  readonly takesMessages = true;
  private readonly path: string;
  private readonly runId = randomBytes(8).toString('hex');
  private accepted = 0;

  constructor(
    private readonly project: string,
    private readonly accessTokens: AccessTokens,
  ) {
    this.path = `/v1/projects/${project}/messages:send`;
  }

  owns(method: string, path: string): boolean {
    return method === 'POST' && (path === this.path || PATH.test(path));
  }

  receive(request: ArrivedRequest): Received {
    if (!this.accessTokens.isGood(request.headers.authorization)) {
      return refused('UNAUTHENTICATED', fcmFrontError('UNAUTHENTICATED'));
    }
    if (request.path !== this.path) return refused('NOT_FOUND', fcmFrontError('NOT_FOUND'));
    const payload = parseJson(request.body);
    if (payload === undefined) {
      const message = 'Invalid JSON payload received. Unexpected token.';
      return refused('INVALID_ARGUMENT', fcmBadRequest(message, [{ field: '', description: message }]));
    }
    const complaints = fcmComplaints(payload, request.body.length);
    if (complaints.length > 0) {
      const message = complaints.map((complaint) => complaint.description).join('\n');
      return refused('INVALID_ARGUMENT', fcmBadRequest(message, complaints));
    }
    return { kind: 'submitted', submission: submissionOf(payload as FcmSendBody) };
  }

  accept(submission: Submission): Acceptance {
    const id = submission.isRehearsal ? MESSAGE_ID : `0:${Date.now()}${++this.accepted}%${this.runId}`;
    const vendorMessageId = `projects/${this.project}/messages/${id}`;
    return { answer: fcmAccepted(vendorMessageId), vendorMessageId };
  }

  refuse(refusal: Refusal): Refused {
    return fcmRefusal(refusal);
  }

  summarize(payload: unknown): Summary {
    const { data, notification, android } = (payload as FcmSendBody).message;
    // The part for Android comes first, then the part for all platforms, then the data that the client may show itself.
    const { title = '', body = '' } = { ...data, ...notification, ...android?.notification };
    return { title, body };
  }
}

interface FcmSendBody {
  message: FcmMessage;
  validate_only?: boolean;
  validateOnly?: boolean;
}

const NO_DETAILS = Object.freeze({});

function submissionOf(request: FcmSendBody): Submission {
  const { token, fid, topic, condition } = request.message;
  return {
    tokens: [token ?? fid ?? topic ?? condition ?? ''],
    payload: request,
    details: NO_DETAILS,
    isRehearsal: request.validate_only === true || request.validateOnly === true,
  };
}
