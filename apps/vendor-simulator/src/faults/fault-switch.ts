import { isDeepStrictEqual } from 'node:util';
import type { FaultRule } from './fault-rule';

/** A fault that a person switches on and off on the page. */
interface FaultSwitch {
  name: string;
  label: string;
  rule: FaultRule;
}

const DEAD_SHARE = 0.1;
const SLOW_MS = 3_000;

/** The faults that most people want to see once: each is a rule as `PUT /faults` takes it. */
export const FAULT_SWITCHES: readonly FaultSwitch[] = [
  {
    name: 'fcm-down',
    label: 'FCM is down: every send is answered 503',
    rule: { vendor: 'fcm', fault: { kind: 'status', http: 503, code: 'UNAVAILABLE' } },
  },
  {
    name: 'apns-busy',
    label: 'APNs wants fewer: every send is answered 429',
    rule: { vendor: 'apns', fault: { kind: 'status', http: 429, code: 'TooManyRequests' } },
  },
  {
    name: 'fcm-credentials',
    label: 'FCM refuses the credentials',
    rule: { vendor: 'fcm', fault: { kind: 'status', http: 401, code: 'UNAUTHENTICATED' } },
  },
  {
    name: 'slow',
    label: 'Every vendor answers three seconds late',
    rule: { vendor: '*', fault: { kind: 'slow', ms: SLOW_MS } },
  },
  {
    name: 'dead-tokens',
    label: 'A tenth of all FCM tokens is dead',
    rule: { vendor: 'fcm', match: { share: DEAD_SHARE }, fault: { kind: 'dead_token' } },
  },
  {
    name: 'lost-answers',
    label: 'For a tenth of all tokens the connection breaks after the message was taken',
    rule: { vendor: '*', match: { share: DEAD_SHARE }, fault: { kind: 'reset', taken: true } },
  },
];

/** True if the rule of a switch is among the rules in force. */
export function isOn({ rule }: FaultSwitch, rules: readonly FaultRule[]): boolean {
  return rules.some((standing) => isSame(standing, rule));
}

/** The rules after a switch was set; what else is in force stays. */
export function withSwitch({ rule }: FaultSwitch, on: boolean, rules: readonly FaultRule[]): FaultRule[] {
  const others = rules.filter((standing) => !isSame(standing, rule));
  return on ? [...others, rule] : others;
}

/** Reports of rules carry counts beside the rule. */
function isSame({ vendor, match, fault }: FaultRule, rule: FaultRule): boolean {
  return isDeepStrictEqual({ vendor, match, fault }, { match: undefined, ...rule });
}
