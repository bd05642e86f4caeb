import { availableParallelism } from 'node:os';
import { USUAL_MAX_PROMO_CODES, USUAL_MAX_USERS } from '@postrider/domain';
import { databaseUrl } from './database-url';
import {
  baseAddress,
  bearerToken,
  decimal,
  flag,
  integer,
  listenAddress,
  oneOf,
  optionalSecret,
  optionalText,
  requiredSecret,
} from './readers';
import { redisUrl } from './redis-url';

/**
 * Every environment variable that a process reads: its name, its reader, and its purpose. `docs/environment.md` lists
 * the same variables; a test compares the two.
 */
export const VARIABLES = {
  DATABASE_URL: { read: databaseUrl, about: 'PostgreSQL 14 or newer; several servers too' },
  DATABASE_POOL_SIZE: { read: integer(10, 1, 500), about: 'connections to PostgreSQL per process' },
  DATABASE_HEAVY_POOL_SIZE: {
    read: integer(4, 1, 100),
    about: 'further connections of a gateway, for counts, dry runs, explanations and exports',
  },
  REDIS_URL: { read: redisUrl, about: 'Redis 6.2+ or Valkey; also Sentinel and Cluster URLs' },
  PORT: { read: integer(3000, 0, 65_535), about: 'HTTP port of the gateway' },
  HOST: {
    read: listenAddress('127.0.0.1'),
    about: 'address that servers listen on; `0.0.0.0`: all of IPv4, `::`: all',
  },
  HEALTH_PORT: { read: integer(0, 0, 65_535), about: "port of a process's health and metrics; 0 picks a free one" },
  DATA_DIR: {
    read: (_: string, text: string | undefined) => text ?? '.data',
    about: 'embedded databases, generated secrets',
  },
  ADMIN_TOKEN: { read: bearerToken(16), about: 'operator access: admin API, Bull Board; read by the gateway alone' },
  SECRET_KEY: { read: requiredSecret(32), about: 'encrypts vendor credentials at rest (AES-256-GCM)' },
  SECRET_KEY_PREVIOUS: {
    read: optionalSecret(32),
    about: 'another key whose sealed values still open, while `SECRET_KEY` is changed',
  },
  PUBLIC_DOCS: {
    read: flag(false),
    about:
      "true if anyone may read `/docs`, `/metrics` and the cause of unreadiness on the gateway's port; false: only the operator",
  },
  PUBLIC_URL: { read: baseAddress, about: 'base address in links; default: from the request' },
  TRACKER_URL: {
    read: baseAddress,
    about: 'base address of tracker links; default: from the request',
  },
  TRUSTED_PROXIES: {
    read: integer(0, 0, 10),
    about: 'proxies in front of the gateway that write `X-Forwarded-For`; decides which address a click has',
  },
  ALLOW_PRIVATE_ENDPOINTS: {
    read: flag(false),
    about: 'true if vendor and webhook endpoints may be loopback or private addresses, or plain http',
  },
  ALLOW_PRIVATE_PUSH_SERVICES: {
    read: flag(false),
    about:
      'the same for the push services that Web Push subscriptions name: for tests and the simulator, never in production',
  },
  HTTPS_PROXY: {
    read: optionalText,
    about: 'HTTP proxy for vendors, webhooks and collectors with https addresses (CONNECT)',
  },
  NO_PROXY: { read: optionalText, about: 'hosts, domains, addresses and ranges that are reached without it' },
  HTTP2_CLIENT: {
    read: oneOf(['own', 'node'], 'own'),
    about: "the implementation of HTTP/2 to vendors: our own, or Node's, which is slower",
  },
  LOG_LEVEL: {
    read: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    about: 'least severe line logged',
  },
  LOG_FORMAT: {
    read: oneOf(['json', 'pretty'], process.stdout.isTTY ? 'pretty' : 'json'),
    about: '`pretty` on a terminal, else `json`',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    read: baseAddress,
    about: 'base address of an OTLP/HTTP collector that gets traces; off when unset',
  },
  OTEL_TRACES_SAMPLER_ARG: { read: decimal(1, 0, 1), about: 'share of messages and requests whose traces are kept' },
  RETENTION_DAYS: { read: integer(30, 1, 3_650), about: 'days that messages, deliveries and events are kept' },
  PROMO_RETENTION_DAYS: {
    read: integer(400, 1, 36_500),
    about: 'days that the record of promo codes and their users is kept',
  },
  RETRY_TIME_SCALE: {
    read: decimal(1, 0, 1_000),
    about:
      "multiplies every vendor's retry delay floor and a webhook's pauses, for tests and rehearsals (never a vendor's own `Retry-After`)",
  },
  DEAD_TOKEN_DELAY_SECONDS: {
    read: integer(900, 0, 86_400),
    about: 'how long a token that a vendor called dead stays in use, so that an error of the vendor is noticed first',
  },
  PAGE_SIZE: { read: integer(500, 1, 10_000), about: 'devices per page' },
  DELIVERY_CONCURRENCY: {
    read: integer(Math.min(2_000, 500 * availableParallelism()), 1, 100_000),
    about: 'vendor requests in flight per delivery worker; default by cores',
  },
  DELIVERY_LANES: {
    read: oneOf(['all', 'transactional', 'campaign'], 'all'),
    about: 'whose pages a delivery worker sends: those of named users, those of campaigns, or both',
  },
  PACK_DELIVERIES: {
    read: flag(true),
    about:
      'true to store the deliveries of a campaign with many devices in one row; off until every process has a version that knows such rows',
  },
  MAX_BODY_BYTES: { read: integer(1_048_576, 1_024, 104_857_600), about: 'largest JSON request body' },
  BODY_TIMEOUT_SECONDS: { read: integer(30, 1, 3_600), about: 'how long the body of a request may take to arrive' },
  UPLOAD_TIMEOUT_SECONDS: { read: integer(3_600, 1, 86_400), about: 'how long an uploaded file may take to arrive' },
  MAX_HTTP_CONNECTIONS: {
    read: integer(10_000, 1, 1_000_000),
    about: 'connections that one gateway holds at most',
  },
  MAX_HTTP_CONNECTIONS_PER_ADDRESS: {
    read: integer(2_000, 1, 1_000_000),
    about: 'most connections from one address (IPv6: one /64); not checked behind `TRUSTED_PROXIES`',
  },
  MAX_UPLOAD_BYTES: {
    read: integer(1_073_741_824, 1_024, 1_099_511_627_776),
    about: 'largest uploaded file (tags in bulk, promo codes)',
  },
  MAX_IMPORT_BYTES: {
    read: integer(4_294_967_296, 1_024, 1_099_511_627_776),
    about: 'largest file of devices to import, unpacked',
  },
  PROMO_WAIT_SECONDS: {
    read: integer(600, 1, 86_400),
    about: 'how long the gateway waits for the end of an upload of promo codes before it answers with its job (202)',
  },
  MAX_PROMO_CODES: { read: integer(USUAL_MAX_PROMO_CODES, 1, 100_000_000), about: 'most promo codes in one file' },
  MAX_USERS: { read: integer(USUAL_MAX_USERS, 1, 1_000_000), about: 'most user ids in one message' },
  MAX_MESSAGES: { read: integer(10_000, 1, 100_000), about: 'most messages in one array request' },
  REQUESTS_PER_SECOND: {
    read: integer(0, 0, 1_000_000),
    about: 'requests an application may make per second and gateway; 0 sets no limit',
  },
  SWEEP_INTERVAL_MS: {
    read: integer(1_000, 50, 60_000),
    about: 'how often recovery looks for work that no worker holds',
  },
  SEGMENT_SIZES_SECONDS: {
    read: integer(3_600, 60, 86_400),
    about: 'how often the size of each saved segment is measured, if the time for measuring is long enough',
  },
  GATEWAY_URL: {
    read: baseAddress,
    about: 'the address to which the device edge passes the requests of clients; default: the gateway on this machine',
  },
  MQTT_PORT: { read: integer(1883, 0, 65_535), about: 'MQTT over TCP; 0 picks a free one' },
  MQTT_WS_PORT: {
    read: integer(4433, 0, 65_535),
    about: 'MQTT over WebSocket, also with TLS if there is a certificate',
  },
  MQTT_TLS_PORT: { read: integer(8883, 0, 65_535), about: 'MQTT over TLS, where there is a certificate' },
  MQTT_TLS_CERT: { read: optionalText, about: 'file of the certificate chain (PEM) of the device edge' },
  MQTT_TLS_KEY: { read: optionalText, about: 'file of its private key (PEM)' },
  CONNECTION_ACK_TIMEOUT_MS: {
    read: integer(10_000, 100, 3_600_000),
    about: 'a connected device that has not acknowledged a message after this time gets vendor push as well',
  },
  CONNECTION_IN_FLIGHT: {
    read: integer(20, 1, 65_535),
    about: 'messages that a connection gets before it must acknowledge one',
  },
  CONNECTION_MAX_PACKET_BYTES: {
    read: integer(262_144, 1_024, 16_777_216),
    about: 'largest packet that a connection may send',
  },
  CONNECTION_BUFFER_BYTES: {
    read: integer(1_048_576, 65_536, 268_435_456),
    about: 'bytes that may wait to be written to one connection before it is dropped as too slow',
  },
  CONNECTION_PACKETS_PER_SECOND: {
    read: integer(50, 1, 100_000),
    about: 'packets that a connection may send per second, without acknowledgements',
  },
  MAX_CONNECTIONS: { read: integer(100_000, 1, 10_000_000), about: 'connections that one device edge holds at most' },
  SIMULATOR_PORT: { read: integer(3443, 0, 65_535), about: 'TLS port of the vendor simulator; 0 picks a free one' },
  SIMULATOR_CONTROL_PORT: {
    read: integer(3480, 0, 65_535),
    about: "port of the vendor simulator's inbox and controls; 0 picks a free one",
  },
  DEMO_DATA: {
    read: flag(true),
    about: 'true if `npm start` fills the demo application with people and four weeks of history, and keeps it active',
  },
  INSTANCE_ID: {
    read: optionalText,
    about: 'name of this process in leases and logs; default: host, pid, and random letters for each start',
  },
} as const;
