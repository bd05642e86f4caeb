import type { CredentialVendor, DeliveryVendor } from '@postrider/domain';

/** What is wrong, and since when. */
export interface VendorTroubleResponse {
  since: string;
  code: string;
  reason: string;
}

/** What one worker says of a vendor. */
export interface WorkerRouteResponse {
  workerId: string;
  state: 'closed' | 'half-open' | 'open';
  since: string;
  openUntil: string | null;
  inFlight: number;
  /** Since when calls have brought nothing but trouble. */
  failingSince: string | null;
  heartbeatAt: string;
}

/** How an application gets on with one vendor. */
export interface VendorHealthResponse {
  vendor: DeliveryVendor | CredentialVendor;
  /** The worst of the workers; `failing`: calls bring nothing but trouble; `unknown`: none uses it now. */
  state: 'ok' | 'failing' | 'half-open' | 'open' | 'unknown';
  since: string | null;
  /** When it is tried again. */
  openUntil: string | null;
  /** Pages that wait for it, or to be tried again after a failure; 10,000 at most are counted. */
  heldPages: number;
  /** The devices on them. */
  waitingDevices: number;
  hasCredentials: boolean;
  credentials: VendorTroubleResponse | null;
  breaker: VendorTroubleResponse | null;
  lastError: { kind: string; code: string; reason: string; at: string } | null;
  /** `share`: of the answers by which it began; `normalShare`: what was normal before. */
  quarantine: {
    since: string | null;
    count: number;
    share: number | null;
    normalShare: number | null;
    sample: string[];
  } | null;
  /** Tokens that are switched off by themselves, the first of them at `nextAt`. */
  deadTokens: { count: number; nextAt: string } | null;
  workers: WorkerRouteResponse[];
}

/** What `POST …/quarantine/apply` answers. `kept`: the device has another token by now, or has registered it again. */
export interface AppliedQuarantineResponse {
  switchedOff: number;
  kept: number;
}

/** What `POST …/quarantine/release` answers. */
export interface ReleasedQuarantineResponse {
  released: number;
}

/** What `POST …/breaker/reset` answers: how many pages waited. */
export interface RouteRetryResponse {
  pages: number;
}

const TIME = { type: 'string', format: 'date-time' };
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };
const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const TROUBLE = { type: ['object', 'null'], properties: { since: TIME, code: TEXT, reason: TEXT } };

const WORKER = {
  type: 'object',
  properties: {
    workerId: TEXT,
    state: { enum: ['closed', 'half-open', 'open'] },
    since: TIME,
    openUntil: TIME_OR_NULL,
    inFlight: COUNT,
    failingSince: TIME_OR_NULL,
    heartbeatAt: TIME,
  },
};

const VENDOR_HEALTH = {
  type: 'object',
  required: ['vendor', 'state', 'heldPages', 'hasCredentials', 'workers'],
  properties: {
    vendor: TEXT,
    state: {
      enum: ['ok', 'failing', 'half-open', 'open', 'unknown'],
      description: '`failing`: calls bring nothing but trouble, and are still made',
    },
    since: TIME_OR_NULL,
    openUntil: TIME_OR_NULL,
    heldPages: {
      ...COUNT,
      description: 'pages that wait for the vendor, or to be tried again after a failure; 10,000 at most are counted',
    },
    waitingDevices: { ...COUNT, description: 'the devices on them' },
    hasCredentials: { type: 'boolean' },
    credentials: { ...TROUBLE, description: 'what is wrong with the credentials' },
    breaker: { ...TROUBLE, description: 'the outage under way' },
    lastError: { type: ['object', 'null'], properties: { kind: TEXT, code: TEXT, reason: TEXT, at: TIME } },
    quarantine: {
      type: ['object', 'null'],
      properties: {
        since: TIME_OR_NULL,
        count: COUNT,
        share: { type: ['number', 'null'], description: 'of dead tokens among the answers by which it began' },
        normalShare: { type: ['number', 'null'], description: 'what was normal before' },
        sample: { type: 'array', items: TEXT, description: 'some of the installations' },
      },
    },
    deadTokens: {
      type: ['object', 'null'],
      description: 'tokens that the vendor calls dead, switched off by themselves unless that turns out to be a fault',
      properties: { count: COUNT, nextAt: TIME },
    },
    workers: { type: 'array', items: WORKER },
  },
};

export const VENDORS_HEALTH_SCHEMA = {
  type: 'object',
  required: ['vendors'],
  properties: { vendors: { type: 'array', items: VENDOR_HEALTH } },
};

export const APPLIED_QUARANTINE_SCHEMA = {
  type: 'object',
  required: ['switchedOff', 'kept'],
  properties: { switchedOff: COUNT, kept: COUNT },
};

export const RELEASED_QUARANTINE_SCHEMA = {
  type: 'object',
  required: ['released'],
  properties: { released: COUNT },
};

export const ROUTE_RETRY_SCHEMA = { type: 'object', required: ['pages'], properties: { pages: COUNT } };
