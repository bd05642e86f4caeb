import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';

const ROOT = resolve(__dirname, '../../..');
const ALERTS = join(ROOT, 'monitoring/alerts');

/** The path of the alert rules in the production overlay. */
export const PROMETHEUS_RULE_FILE = join(ROOT, 'k8s/overlays/production/alerts.yaml');

const HEADING = `# The rules of monitoring/alerts as the Prometheus Operator takes them. Made by \`npm run alerts\`: do not edit.\n`;

/** The rules of `monitoring/alerts` as a PrometheusRule of the Prometheus Operator. */
export function prometheusRule(): object {
  const groups = readdirSync(ALERTS)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .flatMap((name) => (parse(readFileSync(join(ALERTS, name), 'utf8')) as { groups: object[] }).groups);
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'postrider' },
    spec: { groups },
  };
}

/** The file of the overlay. */
export function prometheusRuleFile(): string {
  return HEADING + stringify(prometheusRule(), { lineWidth: 0 });
}
