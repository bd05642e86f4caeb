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

/** What is wrong, and since when. */
export class VendorTroubleResponse {
  @TimeField()
  since!: string;

  @TextField()
  code!: string;

  @TextField()
  reason!: string;
}

/** The newest error of a vendor. */
export class VendorErrorResponse {
  @TextField()
  kind!: string;

  @TextField()
  code!: string;

  @TextField()
  reason!: string;

  @TimeField()
  at!: string;
}

/** Tokens that a vendor calls dead, kept on until the operator decides. */
export class QuarantineResponse {
  @TimeField({ isNullable: true })
  since!: string | null;

  @CountField()
  count!: number;

  @NumberField({ isNullable: true, description: 'of dead tokens among the answers by which it began' })
  share!: number | null;

  @NumberField({ isNullable: true, description: 'what was normal before' })
  normalShare!: number | null;

  @TextsField({ description: 'some of the installations' })
  sample!: string[];
}

/** Tokens that a vendor calls dead. */
export class DeadTokensResponse {
  @CountField()
  count!: number;

  @TimeField({ description: 'when the first of them is switched off' })
  nextAt!: string;
}

/** What one worker says of a vendor. */
export class WorkerRouteResponse {
  @TextField()
  workerId!: string;

  @WordField(BREAKER_STATES)
  state!: (typeof BREAKER_STATES)[number];

  @TimeField()
  since!: string;

  @TimeField({ isNullable: true })
  openUntil!: string | null;

  @CountField()
  inFlight!: number;

  @TimeField({ isNullable: true, description: 'since when calls have brought nothing but trouble' })
  failingSince!: string | null;

  @TimeField()
  heartbeatAt!: string;
}

/** How an application gets on with one vendor. */
export class VendorHealthResponse {
  @WordField([...new Set([...DELIVERY_VENDORS, ...CREDENTIAL_VENDORS])])
  vendor!: DeliveryVendor | CredentialVendor;

  @WordField(HEALTH_STATES, {
    description:
      'the worst of the workers; `failing`: calls bring nothing but trouble, and are still made; `unknown`: none uses it now',
  })
  state!: (typeof HEALTH_STATES)[number];

  @TimeField({ isNullable: true })
  since!: string | null;

  @TimeField({ isNullable: true, description: 'when it is tried again' })
  openUntil!: string | null;

  @CountField({
    description: 'pages that wait for the vendor, or to be tried again after a failure; 10,000 at most are counted',
  })
  heldPages!: number;

  @CountField({ description: 'the devices on them' })
  waitingDevices!: number;

  @FlagField()
  hasCredentials!: boolean;

  @ObjectField(() => VendorTroubleResponse, { isNullable: true, description: 'what is wrong with the credentials' })
  credentials!: VendorTroubleResponse | null;

  @ObjectField(() => VendorTroubleResponse, { isNullable: true, description: 'the outage under way' })
  breaker!: VendorTroubleResponse | null;

  @ObjectField(() => VendorErrorResponse, { isNullable: true })
  lastError!: VendorErrorResponse | null;

  @ObjectField(() => QuarantineResponse, { isNullable: true })
  quarantine!: QuarantineResponse | null;

  @ObjectField(() => DeadTokensResponse, {
    isNullable: true,
    description: 'tokens that the vendor calls dead, switched off by themselves unless that turns out to be a fault',
  })
  deadTokens!: DeadTokensResponse | null;

  @ListField(() => WorkerRouteResponse)
  workers!: WorkerRouteResponse[];
}

/** How an application gets on with its vendors. */
export class VendorsHealthResponse {
  @ListField(() => VendorHealthResponse)
  vendors!: VendorHealthResponse[];
}

/** What `POST …/quarantine/apply` answers. */
export class AppliedQuarantineResponse {
  @CountField()
  switchedOff!: number;

  @CountField({ description: 'the device has another token by now, or has registered it again' })
  kept!: number;
}

/** What `POST …/quarantine/release` answers. */
export class ReleasedQuarantineResponse {
  @CountField()
  released!: number;
}

/** What `POST …/breaker/reset` answers. */
export class RouteRetryResponse {
  @CountField({ description: 'how many waited' })
  pages!: number;
}
