/** How an application stands: what was sent, to whom it could be, and what needs somebody's attention. */
export interface OverviewResponse {
  at: string;
  /** Since a moment that the reader chose; null while it is counted for the first time. */
  sends: {
    asOf: string;
    since: string;
    messages: number;
    campaigns: number;
    devices: number;
    delivered: number;
    opened: number;
  } | null;
  /** Null while they are counted for the first time. */
  devices: {
    asOf: string;
    total: number;
    reachable: number;
    byType: { deviceType: string | null; total: number; reachable: number }[];
  } | null;
  /** Devices that hold a connection; null while they are counted for the first time. */
  online: { asOf: string; devices: number } | null;
  /** Devices that vendors were asked about, oldest first; a span in which there were none is there with 0. */
  throughput: { spanSeconds: number; points: { at: string; devices: number }[] };
  attention: AttentionResponse[];
  /** Whether anything was ever sent, any device registered, any vendor connected: what a newcomer still has to do. */
  steps: { hasVendor: boolean; hasDevice: boolean; hasMessage: boolean };
}

/** Something that somebody should look at. */
export interface AttentionResponse {
  kind: 'no_vendor' | 'credentials' | 'breaker' | 'quarantine' | 'promo' | 'lag' | 'webhooks';
  severity: 'warning' | 'error';
  /** Of a vendor. */
  vendor: string | null;
  since: string | null;
  /** What is the matter, in a sentence. */
  message: string;
}

const TIME = { type: 'string', format: 'date-time' };
const COUNT = { type: 'integer', minimum: 0 };

/** For the API document. */
export const OVERVIEW_SCHEMA = {
  type: 'object',
  required: ['at', 'sends', 'devices', 'online', 'throughput', 'attention', 'steps'],
  properties: {
    at: TIME,
    sends: {
      type: ['object', 'null'],
      description: 'at most 15 seconds old; null while it is counted for the first time',
      properties: {
        asOf: TIME,
        since: TIME,
        messages: COUNT,
        campaigns: COUNT,
        devices: COUNT,
        delivered: COUNT,
        opened: COUNT,
      },
    },
    devices: {
      type: ['object', 'null'],
      description: 'counted at most once a minute; null while they are counted for the first time',
      properties: {
        asOf: TIME,
        total: COUNT,
        reachable: COUNT,
        byType: {
          type: 'array',
          items: {
            type: 'object',
            properties: { deviceType: { type: ['string', 'null'] }, total: COUNT, reachable: COUNT },
          },
        },
      },
    },
    online: { type: ['object', 'null'], properties: { asOf: TIME, devices: COUNT } },
    throughput: {
      type: 'object',
      properties: {
        spanSeconds: COUNT,
        points: { type: 'array', items: { type: 'object', properties: { at: TIME, devices: COUNT } } },
      },
    },
    attention: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'severity', 'message'],
        properties: {
          kind: { enum: ['no_vendor', 'credentials', 'breaker', 'quarantine', 'promo', 'lag', 'webhooks'] },
          severity: { enum: ['warning', 'error'] },
          vendor: { type: ['string', 'null'] },
          since: { type: ['string', 'null'] },
          message: { type: 'string' },
        },
      },
    },
    steps: {
      type: 'object',
      properties: { hasVendor: { type: 'boolean' }, hasDevice: { type: 'boolean' }, hasMessage: { type: 'boolean' } },
    },
  },
};
