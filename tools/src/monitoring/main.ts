import { writeFileSync } from 'node:fs';
import { PROMETHEUS_RULE_FILE, prometheusRuleFile } from './prometheus-rule';

// `npm run alerts`: writes the alert rules into the production overlay.
writeFileSync(PROMETHEUS_RULE_FILE, prometheusRuleFile());
console.log(`Written: ${PROMETHEUS_RULE_FILE}`);
