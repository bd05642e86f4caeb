import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { metricsOfCode, sourceFiles, unknownIn } from './metrics-of-code';
import { checkSyntax, promtool, withPromtool } from './testing/promtool';

const ROOT = resolve(__dirname, '../../..');
const ALERTS = join(ROOT, 'monitoring/alerts');
const TESTS = join(ALERTS, 'tests');
const RUNBOOKS = join(ROOT, 'docs/runbooks');
const FILES = readdirSync(ALERTS).filter((name) => name.endsWith('.yml'));
const CODE = sourceFiles()
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
/** Read once: each of them is compared with every alert and every runbook. */
const METRICS = metricsOfCode();
const SECTIONS = ['## What it means', '## See it', '## Do', '## Do not'];

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}

interface RuleTests {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

const alerts = FILES.flatMap((file) => {
  const { groups } = parse(readFileSync(join(ALERTS, file), 'utf8')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
});
const names = alerts.map(({ alert }) => alert);

describe('the alert rules', () => {
  withPromtool.each(FILES)('are valid for Prometheus: %s', (file) => {
    expect(promtool('check', 'rules', join(ALERTS, file))).toBe('');
  });

  withPromtool.each(FILES)('fire when they should, and only then: %s', (file) => {
    expect(promtool('test', 'rules', join(TESTS, file))).toBe('');
  });

  it('are each tested to fire, and to stay quiet', () => {
    const tests = readdirSync(TESTS).flatMap((file) =>
      (parse(readFileSync(join(TESTS, file), 'utf8')) as RuleTests).tests.flatMap((one) => one.alert_rule_test),
    );
    const tested = (fires: boolean): Set<string> =>
      new Set(tests.filter((test) => (test.exp_alerts !== undefined) === fires).map(({ alertname }) => alertname));
    expect([...tested(true)].sort()).toEqual([...names].sort());
    expect(names.filter((name) => !tested(false).has(name))).toEqual([]);
  });

  it.each(alerts.map((alert) => [alert.alert, alert] as const))(
    'says what, how bad, and where to read on: %s',
    (_, alert) => {
      const { summary, description, runbook_url: runbook } = alert.annotations;
      expect(['critical', 'warning', 'info']).toContain(alert.labels.severity);
      expect(summary?.length).toBeGreaterThan(10);
      expect(description?.length).toBeGreaterThan(20);
      expect(runbook).toMatch(new RegExp(`^https://.+/docs/runbooks/${alert.alert}\\.md$`));
      expect(unknownIn(alert.expr, METRICS)).toEqual([]);
    },
  );

  it('have different names', () => {
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the runbooks', () => {
  it('are one for each alert', () => {
    const pages = readdirSync(RUNBOOKS).filter((name) => name !== 'README.md');
    expect(pages.sort()).toEqual(names.map((name) => `${name}.md`).sort());
  });

  it.each(names)('say what it means, how to see it, what to do and what not: %s', (name) => {
    const page = join(RUNBOOKS, `${name}.md`);
    const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    expect(text.match(/^## .*$/gm)).toEqual(SECTIONS);
  });

  it('are listed in their table of contents', () => {
    const text = readFileSync(join(RUNBOOKS, 'README.md'), 'utf8');
    expect([...text.matchAll(/\]\((\w+)\.md\)/g)].map(([, name]) => name).sort()).toEqual([...names].sort());
  });

  const queriesIn = (name: string): string[] =>
    [...readFileSync(join(RUNBOOKS, `${name}.md`), 'utf8').matchAll(/```promql\n([^`]*)```/g)].map(
      ([, query = '']) => query,
    );

  it.each(names)('query metrics and labels that there are: %s', (name) => {
    expect(queriesIn(name).flatMap((query) => unknownIn(query, METRICS))).toEqual([]);
  });

  it.each(names)('search logs for lines that processes write: %s', (name) => {
    const text = readFileSync(join(RUNBOOKS, `${name}.md`), 'utf8');
    const greps = [...text.matchAll(/^logs .*\| grep (?:-E )?"?([^"\n]+?)"? \|/gm)].map(([, words = '']) => words);
    const events = greps.flatMap((words) => words.split('|')).filter((word) => /^[a-z-]+\.[a-z-]+$/.test(word));
    expect(events.filter((event) => !CODE.includes(`'${event}'`))).toEqual([]);
  });

  it.each([
    ['gateway', ['gateway']],
    ['delivery-worker', ['delivery-worker', 'delivery-worker-transactional']],
    ['delivery-worker-transactional', ['delivery-worker-transactional']],
  ])('search the logs of every process that runs the program: %s', (name, searched) => {
    const [logs = ''] = /^logs\(\) \{[^]*?^\}$/m.exec(readFileSync(join(RUNBOOKS, 'README.md'), 'utf8')) ?? [];
    const script = `kubectl() { printf '%s\\n' "$@"; }\n${logs}\nlogs ${name} --since=3h`;
    const words = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n');
    expect(words).toContain(`app.kubernetes.io/name in (${searched.join(',')})`);
    expect(words.indexOf('--since=3h')).toBeGreaterThan(words.indexOf('--since=1h'));
  });

  withPromtool('query in correct PromQL', () => {
    expect(checkSyntax(names.flatMap(queriesIn))).toBe('');
  });
});
