import { CREDENTIAL_VENDORS, type CredentialVendor, DELIVERY_VENDORS, type DeliveryVendor } from '@postrider/domain';
import {
  CountField,
  FlagField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TextsField,
  TimeField,
  WordField,
} from '../validation/answers';

const BREAKER_STATES = ['closed', 'half-open', 'open'] as const;
const HEALTH_STATES = ['ok', 'failing', 'half-open', 'open', 'unknown'] as const;

/** A trouble, and since when. */
export class VendorTroubleResponse {
  @TimeField() since!: string;
  @TextField() code!: string;
  @TextField() reason!: string;
}

/** The newest error of a vendor. */
export class VendorErrorResponse {
  @TextField() kind!: string;
  @TextField() code!: string;
  @TextField() reason!: string;
  @TimeField() at!: string;
}

/** Tokens that a vendor calls dead, kept on until the operator decides. */
export class QuarantineResponse {
  @TimeField({ isNullable: true }) since!: string | null;
  @CountField() count!: number;

  @NumberField({ isNullable: true, description: 'the share of dead tokens in the answers that started the quarantine' })
  share!: number | null;

  @NumberField({ isNullable: true, description: 'the usual share of dead tokens' }) normalShare!: number | null;
  @TextsField({ description: 'a sample of the installations' }) sample!: string[];
}

/** Tokens that a vendor calls dead. */
export class DeadTokensResponse {
  @CountField() count!: number;
  @TimeField({ description: 'when the first of these tokens is switched off' }) nextAt!: string;
}

/** One worker's report about a vendor. */
export class WorkerRouteResponse {
  @TextField() workerId!: string;
  @WordField(BREAKER_STATES) state!: (typeof BREAKER_STATES)[number];
  @TimeField() since!: string;
  @TimeField({ isNullable: true }) openUntil!: string | null;
  @CountField() inFlight!: number;

  @TimeField({ isNullable: true, description: 'since when all calls have failed' })
  failingSince!: string | null;

  @TimeField() heartbeatAt!: string;
}

/** The health of one vendor for an application. */
export class VendorHealthResponse {
  @WordField([...new Set([...DELIVERY_VENDORS, ...CREDENTIAL_VENDORS])]) vendor!: DeliveryVendor | CredentialVendor;

  @WordField(HEALTH_STATES, {
    description:
      'the worst state of all workers; `failing`: all calls fail, but are still made; `unknown`: no worker uses it now',
  })
  state!: (typeof HEALTH_STATES)[number];

  @TimeField({ isNullable: true }) since!: string | null;
  @TimeField({ isNullable: true, description: 'when the next call is made' }) openUntil!: string | null;

  @CountField({
    description: 'pages that wait for the vendor or for another attempt; at most 10,000 are counted',
  })
  heldPages!: number;

  @CountField({ description: 'the devices on these pages' }) waitingDevices!: number;
  @FlagField() hasCredentials!: boolean;

  @ObjectField(() => VendorTroubleResponse, { isNullable: true, description: 'the problem with the credentials' })
  credentials!: VendorTroubleResponse | null;

  @ObjectField(() => VendorTroubleResponse, { isNullable: true, description: 'the current outage' })
  breaker!: VendorTroubleResponse | null;

  @ObjectField(() => VendorErrorResponse, { isNullable: true }) lastError!: VendorErrorResponse | null;
  @ObjectField(() => QuarantineResponse, { isNullable: true }) quarantine!: QuarantineResponse | null;

  @ObjectField(() => DeadTokensResponse, {
    isNullable: true,
    description:
      'tokens that the vendor reported as dead; they are switched off later, unless the reports turn out to be a fault',
  })
  deadTokens!: DeadTokensResponse | null;

  @ListField(() => WorkerRouteResponse) workers!: WorkerRouteResponse[];
}

/** The health of an application's vendors. */
export class VendorsHealthResponse {
  @ListField(() => VendorHealthResponse) vendors!: VendorHealthResponse[];
}

/** The answer of `POST …/quarantine/apply`. */
export class AppliedQuarantineResponse {
  @CountField() switchedOff!: number;
  @CountField({
    description: 'tokens that stay, because the device has another one by now, or registered the same one again',
  })
  kept!: number;
}

/** The answer of `POST …/quarantine/release`. */
export class ReleasedQuarantineResponse {
  @CountField() released!: number;
}

/** The answer of `POST …/breaker/reset`. */
export class RouteRetryResponse {
  @CountField({ description: 'the number of pages that waited' }) pages!: number;
}
