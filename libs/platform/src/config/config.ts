import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { HttpsProxy } from './https-proxy';
import { Secret } from './secret';
import { VARIABLES } from './variables';
import { ConfigError } from './config-error';

/** The text that examples of deployments have in place of a secret. */
const PLACEHOLDER = /change[-_ ]?me/i;
const PASSWORD = /:\/\/[^/:@]*:(.*)@/;

/** The variables that hold a secret, and the part of their text that is the secret. */
const SECRETS: Readonly<Record<string, (text: string) => string | undefined>> = {
  ADMIN_TOKEN: (text) => text,
  SECRET_KEY: (text) => text,
  DATABASE_URL: (text) => PASSWORD.exec(text)?.[1],
  REDIS_URL: (text) => PASSWORD.exec(text)?.[1],
};

/**
 * Refuses a secret that everyone knows, because an example contains it or it is blank. (`SECRET_KEY_PREVIOUS` may be one: it
 * is being replaced.)
 * @throws ConfigError
 */
function refuseKnown(name: string, text: string | undefined): void {
  const secret = text === undefined ? undefined : SECRETS[name]?.(text);
  if (secret === undefined) return;
  if (PLACEHOLDER.test(secret)) throw new ConfigError(name, 'a secret of your own where "change-me" stands', text);
  if (name !== 'SECRET_KEY' || secret.trim() !== '') return;
  throw new ConfigError(name, 'a random secret, not only blanks', '*'.repeat(secret.length));
}

type Table = typeof VARIABLES;

/** The name of an environment variable that a process reads. */
export type VariableName = keyof Table;

/** Nest injection token of the `Config`. */
export const CONFIG = Symbol('Config');

/** A process's settings, read and checked once at its start. */
export interface Config {
  databaseUrl: Secret;
  databasePoolSize: number;
  databaseHeavyPoolSize: number;
  redisUrl: Secret;
  port: number;
  host: string;
  healthPort: number;
  dataDir: string;
  secretKey: Secret;
  secretKeyPrevious: Secret | undefined;
  publicDocs: boolean;
  publicUrl: string | undefined;
  trackerUrl: string | undefined;
  trustedProxies: number;
  allowPrivateEndpoints: boolean;
  allowPrivatePushServices: boolean;
  proxy: HttpsProxy | undefined;
  http2Client: 'own' | 'node';
  logLevel: string;
  logFormat: 'json' | 'pretty';
  otlpEndpoint: string | undefined;
  traceShare: number;
  retentionDays: number;
  promoRetentionDays: number;
  retryTimeScale: number;
  deadTokenDelaySeconds: number;
  pageSize: number;
  deliveryConcurrency: number;
  deliveryLanes: 'all' | 'transactional' | 'campaign';
  packDeliveries: boolean;
  maxBodyBytes: number;
  bodyTimeoutSeconds: number;
  uploadTimeoutSeconds: number;
  maxHttpConnections: number;
  maxHttpConnectionsPerAddress: number;
  maxUploadBytes: number;
  maxPromoCodes: number;
  promoWaitSeconds: number;
  maxUsers: number;
  maxMessages: number;
  requestsPerSecond: number;
  sweepIntervalMs: number;
  segmentSizesSeconds: number;
  gatewayUrl: string;
  mqttPort: number;
  mqttWsPort: number;
  mqttTlsPort: number;
  mqttTlsCert: string | undefined;
  mqttTlsKey: string | undefined;
  connectionAckTimeoutMs: number;
  connectionInFlight: number;
  connectionMaxPacketBytes: number;
  connectionBufferBytes: number;
  connectionPacketsPerSecond: number;
  maxConnections: number;
  simulatorPort: number;
  simulatorControlPort: number;
  instanceId: string;
}

/** The settings that only the gateway reads: no other process gets the operator's token, or accepts files. */
export interface GatewayConfig extends Config {
  adminToken: Secret;
  maxImportBytes: number;
}

/** The type that a variable's text becomes. */
type VariableValue<Name extends VariableName> = ReturnType<Table[Name]['read']>;

/**
 * Reads one variable: for a process that needs no more than a few, and no database.
 *
 * @throws ConfigError when it is bad or missing, or in production still the placeholder of an example
 */
export function readVariable<Name extends VariableName>(
  name: Name,
  env: NodeJS.ProcessEnv = process.env,
): VariableValue<Name> {
  const text = env[name] === '' ? undefined : env[name];
  const value = VARIABLES[name].read(name, text) as VariableValue<Name>;
  if (env.NODE_ENV === 'production') refuseKnown(name, text);
  return value;
}

/**
 * Reads every variable of the table except those of the gateway alone.
 * @throws ConfigError on the first bad or missing one; its message names the variable and says what it expects
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const read = <Name extends VariableName>(name: Name): VariableValue<Name> => readVariable(name, env);
  return {
    databaseUrl: new Secret(read('DATABASE_URL')),
    databasePoolSize: read('DATABASE_POOL_SIZE'),
    databaseHeavyPoolSize: read('DATABASE_HEAVY_POOL_SIZE'),
    redisUrl: new Secret(read('REDIS_URL')),
    port: read('PORT'),
    host: read('HOST'),
    healthPort: read('HEALTH_PORT'),
    dataDir: read('DATA_DIR'),
    secretKey: new Secret(read('SECRET_KEY')),
    secretKeyPrevious: secretOf(read('SECRET_KEY_PREVIOUS')),
    publicDocs: read('PUBLIC_DOCS'),
    publicUrl: read('PUBLIC_URL'),
    trackerUrl: read('TRACKER_URL'),
    trustedProxies: read('TRUSTED_PROXIES'),
    allowPrivateEndpoints: read('ALLOW_PRIVATE_ENDPOINTS'),
    allowPrivatePushServices: read('ALLOW_PRIVATE_PUSH_SERVICES'),
    proxy: proxyOf(read('HTTPS_PROXY'), read('NO_PROXY')),
    http2Client: read('HTTP2_CLIENT'),
    logLevel: read('LOG_LEVEL'),
    logFormat: read('LOG_FORMAT'),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    traceShare: read('OTEL_TRACES_SAMPLER_ARG'),
    retentionDays: read('RETENTION_DAYS'),
    promoRetentionDays: read('PROMO_RETENTION_DAYS'),
    retryTimeScale: read('RETRY_TIME_SCALE'),
    deadTokenDelaySeconds: read('DEAD_TOKEN_DELAY_SECONDS'),
    ...delivery(env),
    maxBodyBytes: read('MAX_BODY_BYTES'),
    bodyTimeoutSeconds: read('BODY_TIMEOUT_SECONDS'),
    uploadTimeoutSeconds: read('UPLOAD_TIMEOUT_SECONDS'),
    maxHttpConnections: read('MAX_HTTP_CONNECTIONS'),
    maxHttpConnectionsPerAddress: read('MAX_HTTP_CONNECTIONS_PER_ADDRESS'),
    maxUploadBytes: read('MAX_UPLOAD_BYTES'),
    maxPromoCodes: read('MAX_PROMO_CODES'),
    promoWaitSeconds: read('PROMO_WAIT_SECONDS'),
    maxUsers: read('MAX_USERS'),
    maxMessages: read('MAX_MESSAGES'),
    requestsPerSecond: read('REQUESTS_PER_SECOND'),
    sweepIntervalMs: read('SWEEP_INTERVAL_MS'),
    segmentSizesSeconds: read('SEGMENT_SIZES_SECONDS'),
    gatewayUrl: read('GATEWAY_URL') ?? `http://${hostInUrl(read('HOST'))}:${read('PORT')}`,
    mqttPort: read('MQTT_PORT'),
    mqttWsPort: read('MQTT_WS_PORT'),
    mqttTlsPort: read('MQTT_TLS_PORT'),
    mqttTlsCert: read('MQTT_TLS_CERT'),
    mqttTlsKey: read('MQTT_TLS_KEY'),
    connectionAckTimeoutMs: read('CONNECTION_ACK_TIMEOUT_MS'),
    connectionInFlight: read('CONNECTION_IN_FLIGHT'),
    connectionMaxPacketBytes: read('CONNECTION_MAX_PACKET_BYTES'),
    connectionBufferBytes: read('CONNECTION_BUFFER_BYTES'),
    connectionPacketsPerSecond: read('CONNECTION_PACKETS_PER_SECOND'),
    maxConnections: read('MAX_CONNECTIONS'),
    ...simulatorPorts(env),
    instanceId: read('INSTANCE_ID') ?? `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`,
  };
}

/**
 * Reads every variable of the table, for the gateway.
 *
 * @throws ConfigError as `loadConfig` does
 */
export function loadGatewayConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const adminToken = new Secret(readVariable('ADMIN_TOKEN', env));
  return { ...loadConfig(env), adminToken, maxImportBytes: readVariable('MAX_IMPORT_BYTES', env) };
}

/** The keys that open what was sealed: `SECRET_KEY`, which seals too, then `SECRET_KEY_PREVIOUS`. */
export function secretKeysOf({
  secretKey,
  secretKeyPrevious,
}: Pick<Config, 'secretKey' | 'secretKeyPrevious'>): readonly [Secret, ...Secret[]] {
  return secretKeyPrevious === undefined ? [secretKey] : [secretKey, secretKeyPrevious];
}

type DeliveryConfig = Pick<Config, 'pageSize' | 'deliveryConcurrency' | 'deliveryLanes' | 'packDeliveries'>;

function delivery(env: NodeJS.ProcessEnv): DeliveryConfig {
  return {
    pageSize: readVariable('PAGE_SIZE', env),
    deliveryConcurrency: readVariable('DELIVERY_CONCURRENCY', env),
    deliveryLanes: readVariable('DELIVERY_LANES', env),
    packDeliveries: readVariable('PACK_DELIVERIES', env),
  };
}

function simulatorPorts(env: NodeJS.ProcessEnv): Pick<Config, 'simulatorPort' | 'simulatorControlPort'> {
  return {
    simulatorPort: readVariable('SIMULATOR_PORT', env),
    simulatorControlPort: readVariable('SIMULATOR_CONTROL_PORT', env),
  };
}

function proxyOf(url: string | undefined, exceptions: string | undefined): HttpsProxy | undefined {
  return url === undefined ? undefined : new HttpsProxy(url, exceptions);
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}

/**
 * Returns the host of the URLs under which processes on this machine reach a server that listens on the address `host` (`HOST`).
 * A server that listens on all addresses is reached on loopback: `::` takes connections over IPv4 too.
 */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
