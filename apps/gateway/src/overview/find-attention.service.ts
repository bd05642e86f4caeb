import { Inject, Injectable } from '@nestjs/common';
import type { AttentionResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  type LaggingWork,
  OverviewRepository,
  type PromoShortage,
  RoutesRepository,
  type VendorHealth,
  type WebhookCounts,
  WebhooksRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { type IdentityKeyState, UserIdentity } from '../devices/registration/user-identity.service';
import { RedisProblems } from '../http/redis-problems';

/** Work is claimed within milliseconds. Work that waits for this long has no worker. */
const LAG_MS = 15_000;

/** Finds what an operator should look at in an application, the worst first. */
@Injectable()
export class FindAttention {
  constructor(
    private readonly figures: OverviewRepository,
    private readonly routes: RoutesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly redis: RedisProblems,
    private readonly identity: UserIdentity,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns what needs attention now, errors before warnings; empty if nothing does. */
  async find(appId: string): Promise<AttentionResponse[]> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - LAG_MS);
    const [lag, vendors, promoSets, webhooks, identityKey] = await Promise.all([
      this.figures.findLaggingWork(appId, before),
      this.routes.readHealth(appId, now),
      this.figures.findPromoShortages(appId),
      this.webhooks.count(appId),
      this.identity.readKeyState(appId),
    ]);
    const cause = lag.since === null ? null : await this.redis.find();
    const found = [
      ...vendors.flatMap(aboutVendor),
      ...aboutLag(lag, cause),
      ...promoSets.map(aboutPromoSet),
      ...aboutWebhooks(webhooks),
      ...aboutIdentityKey(identityKey),
    ];
    return found.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  }
}

/** @param cause why jobs reach no worker, or may be missing in Redis, and what to do about it before looking at the workers; null: no such reason */
export function aboutLag({ pages, messages, since }: LaggingWork, cause: string | null): AttentionResponse[] {
  if (since === null) return [];
  const what = pages > 0 ? 'Devices wait to be sent to' : 'Messages wait for their audience';
  const who = messages > 0 ? 'the audience workers' : 'the delivery workers';
  const remedy = `check that ${who} run and keep up`;
  const why = cause === null ? `no worker takes them: ${remedy}` : `${cause}; if they still wait then, ${remedy}`;
  return [notice('lag', 'error', `${what}, and ${why}`, since)];
}

function aboutVendor(health: VendorHealth): AttentionResponse[] {
  const { vendor, quarantine } = health;
  const outage = aboutOutage(health);
  const kept =
    quarantine &&
    notice(
      'quarantine',
      'warning',
      `${nameOf(vendor)} called ${quarantine.count} tokens dead at once; they are kept until an operator decides`,
      quarantine.since,
    );
  return [outage, kept].flatMap((found) => (found ? [{ ...found, vendor }] : []));
}

function aboutOutage({
  vendor,
  state,
  since,
  credentials,
  breaker,
  hasCredentials,
  heldPages,
  lastError,
}: VendorHealth): AttentionResponse | null {
  const held = heldPages > 0 ? '. Messages for it wait' : '';
  if (credentials) {
    const words = hasCredentials
      ? `${nameOf(vendor)} refuses the credentials: ${credentials.reason}${held}`
      : `There are no credentials for ${nameOf(vendor)}${held}`;
    return notice('credentials', 'error', words, credentials.since);
  }
  if (!breaker && !NOT_WORKING.has(state)) return null;
  const words = `${nameOf(vendor)} fails: ${whyNot(breaker ?? lastError)}${held}`;
  return notice('breaker', 'error', words, breaker?.since ?? since);
}

/** States in which nothing is sent. */
const NOT_WORKING: ReadonlySet<VendorHealth['state']> = new Set(['open', 'failing']);

function whyNot(trouble: { reason: string } | null): string {
  return trouble?.reason ?? 'too many errors';
}

const VENDOR_NAMES: Partial<Record<string, string>> = {
  fcm: 'Firebase (FCM)',
  apns: 'Apple (APNs)',
  hms: 'Huawei (HMS)',
  webpush: 'Web Push',
  sms: 'The SMS provider',
};

function nameOf(vendor: string): string {
  return VENDOR_NAMES[vendor] ?? vendor;
}

function aboutPromoSet({ trackId, remaining, total }: PromoShortage): AttentionResponse {
  const which = trackId === null ? 'The global promo set' : `The promo set of “${trackId}”`;
  if (remaining === 0) return notice('promo', 'error', `${which} is used up`);
  return notice('promo', 'warning', `${which} is nearly used up: ${remaining} of ${total} codes are left`);
}

function aboutWebhooks({ failing, disabled }: WebhookCounts): AttentionResponse[] {
  return [
    ...(disabled > 0 ? [notice('webhooks', 'error', `${disabled} of the webhooks failed too often and are off`)] : []),
    ...(failing > 0 ? [notice('webhooks', 'warning', `${failing} of the webhooks answer with errors`)] : []),
  ];
}

function aboutIdentityKey(state: IdentityKeyState | null): AttentionResponse[] {
  if (state === null || state.isReadable) return [];
  const words =
    'The identity key cannot be decrypted: it was encrypted with another SECRET_KEY. Calls with a userHash are refused ' +
    'until you put that key back or rotate the identity key';
  return [notice('identity_key', state.isRequired ? 'error' : 'warning', words)];
}

function notice(
  kind: AttentionResponse['kind'],
  severity: AttentionResponse['severity'],
  message: string,
  since: Date | null = null,
): AttentionResponse {
  return { kind, severity, vendor: null, since: since?.toISOString() ?? null, message };
}
