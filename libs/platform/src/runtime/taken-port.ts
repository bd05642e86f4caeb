/** The fields of a configuration that are ports, and the variables that set them. */
const PORTS = {
  port: 'PORT',
  healthPort: 'HEALTH_PORT',
  mqttPort: 'MQTT_PORT',
  mqttWsPort: 'MQTT_WS_PORT',
  mqttTlsPort: 'MQTT_TLS_PORT',
} as const;

/**
 * What a person can do about a process that could not start because another program has its port, in one line. Null: it
 * failed for another reason.
 */
export function sayTakenPort(error: unknown, config: Partial<Record<keyof typeof PORTS, number>>): string | null {
  const { code, port, address } = (error ?? {}) as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code !== 'EADDRINUSE' || port === undefined) return null;
  const fields = Object.keys(PORTS) as (keyof typeof PORTS)[];
  const named = fields.filter((field) => config[field] === port).map((field) => PORTS[field]);
  const variable = named.length > 0 ? ` (${named.join(' or ')})` : '';
  const place = address === undefined ? '' : ` at ${address}`;
  return `Port ${port}${place} is taken by another process. Stop that one, or choose another port${variable}.`;
}
