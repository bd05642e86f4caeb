/** Whether an installation is connected. */
export interface PresenceResponse {
  installationId: string;
  online: boolean;
  /** Since when; null when it is not. */
  connectedAt: string | null;
  /** When it last connected or disconnected; null: never. */
  lastSeenAt: string | null;
}

/** The same as JSON Schema. */
export const PRESENCE_SCHEMA = {
  type: 'object' as const,
  required: ['installationId', 'online', 'connectedAt', 'lastSeenAt'],
  properties: {
    installationId: { type: 'string', format: 'uuid' },
    online: { type: 'boolean', description: 'Whether a connection of the device is open now' },
    connectedAt: { type: 'string', format: 'date-time', nullable: true, description: 'Since when it is connected' },
    lastSeenAt: { type: 'string', format: 'date-time', nullable: true, description: 'Last connect or disconnect' },
  },
};
