import { hostname } from 'node:os';
import { refusePlaceholder } from './placeholder';
import { Secret } from './secret';
import { VARIABLES } from './variables';

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

/** What the gateway reads beyond that: no other process is given the operator's token. */
export interface GatewayConfig extends Config {
  adminToken: Secret;
}

/** What a variable's text becomes. */
export type VariableValue<Name extends VariableName> = ReturnType<Table[Name]['read']>;

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
  if (env.NODE_ENV === 'production') refusePlaceholder(name, text);
  return value;
}

/**
 * Reads every variable of the table but those of the gateway alone.
 *
 * @throws ConfigError on the first bad or missing one; its message names the variable and what it expects
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
    http2Client: read('HTTP2_CLIENT'),
    logLevel: read('LOG_LEVEL'),
    logFormat: read('LOG_FORMAT'),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    traceShare: read('OTEL_TRACES_SAMPLER_ARG'),
    retentionDays: read('RETENTION_DAYS'),
    promoRetentionDays: read('PROMO_RETENTION_DAYS'),
    retryTimeScale: read('RETRY_TIME_SCALE'),
    deadTokenDelaySeconds: read('DEAD_TOKEN_DELAY_SECONDS'),
    pageSize: read('PAGE_SIZE'),
    deliveryConcurrency: read('DELIVERY_CONCURRENCY'),
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
    gatewayUrl: read('GATEWAY_URL') ?? `http://127.0.0.1:${read('PORT')}`,
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
    simulatorPort: read('SIMULATOR_PORT'),
    simulatorControlPort: read('SIMULATOR_CONTROL_PORT'),
    instanceId: read('INSTANCE_ID') ?? `${hostname()}-${process.pid}`,
  };
}

/**
 * Reads every variable of the table, for the gateway.
 *
 * @throws ConfigError as `loadConfig` does
 */
export function loadGatewayConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  return { ...loadConfig(env), adminToken: new Secret(readVariable('ADMIN_TOKEN', env)) };
}

/** The keys that open what was sealed: `SECRET_KEY`, which seals too, then `SECRET_KEY_PREVIOUS`. */
export function secretKeysOf({
  secretKey,
  secretKeyPrevious,
}: Pick<Config, 'secretKey' | 'secretKeyPrevious'>): readonly [Secret, ...Secret[]] {
  return secretKeyPrevious === undefined ? [secretKey] : [secretKey, secretKeyPrevious];
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}
