import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { RegistrationRequest } from '@postrider/contracts';
import { type Clock, DomainError, isUuid } from '@postrider/domain';
import {
  type DeferredClaim,
  DeferredLinksRepository,
  DevicesRepository,
  type Installation,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, createExpiringCache, secretKeysOf } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import type { LRUCache } from 'lru-cache';
import { unknownInstallation } from '../show-installation';
import { CLICKS_WRITTEN_WITHIN_MS } from '../../trackers/redirector/click-buffer.service';
import { readClickToken, tokenInReferrer, tokenKey } from '../../trackers/click-token';
import { AddressDigest, clientAddress } from '../../trackers/client-address';

const REMEMBERED_MS = 4_000;
const APPLICATIONS = 1_000;

/** Gives new installations the deep link that was clicked before they existed. */
@Injectable()
export class ClaimDeferredLink {
  /**
   * The key derived from `SECRET_KEY`, then the one from the former key: while `SECRET_KEY` is changed, a click may be
   * stored under either.
   */
  readonly #digests: readonly AddressDigest[];
  readonly #matching: LRUCache<string, boolean>;

  constructor(
    private readonly links: DeferredLinksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly devices: DevicesRepository,
  ) {
    this.#matching = createExpiringCache(clock, APPLICATIONS, REMEMBERED_MS);
    this.#digests = secretKeysOf(config).map((secret) => new AddressDigest(secret.reveal()));
  }

  /**
   * Claims the link that waits for a new installation, or returns null. A link is claimed once. It is found exactly, by
   * the token of the click; by network address and user agent only if the application wants that.
   */
  async take(
    appId: string,
    installation: Installation,
    sent: RegistrationRequest,
    request: FastifyRequest,
  ): Promise<string | null> {
    const token = tokenOf(sent);
    const address = (await this.#matchesByAddress(appId)) ? clientAddress(request, this.config.trustedProxies) : null;
    if (token === null && address === null) return null;
    const agent = sent.userAgent ?? request.headers['user-agent'];
    const claims = (address === null ? this.#digests.slice(0, 1) : this.#digests).map((digest) => ({
      tokenKey: token === null ? null : tokenKey(token),
      addressKey: address === null ? null : digest.of('address', appId, address),
      platform: platformOf(installation.deviceType),
      osMajor: majorOf(installation.osVersion),
      agentKey: agentKeyOf(digest, agent),
    }));
    if (token !== null) {
      const exact = claims.slice(0, 1).map((claim) => ({ ...claim, addressKey: null }));
      const link = await this.#takeFirst(appId, installation, exact);
      if (link !== null) return link;
      // For a click at this moment: a gateway, not always this one, still holds the click. Until it is written, the
      // address would find the click of somebody else in the same network.
      await pause(CLICKS_WRITTEN_WITHIN_MS);
    }
    return this.#takeFirst(appId, installation, claims);
  }

  async #takeFirst(
    appId: string,
    installation: Installation,
    claims: readonly DeferredClaim[],
  ): Promise<string | null> {
    for (const claim of claims) {
      const link = await this.links.claim(appId, installation.deviceId, claim, this.clock.now());
      if (link !== null) return link;
    }
    return null;
  }

  /** Records if the app opened the link that it got. @throws DomainError NOT_FOUND if it got none */
  async decide(appId: string, installationId: string, opened: boolean): Promise<void> {
    const [owner] = isUuid(installationId) ? await this.devices.findOwners([{ appId, installationId }]) : [];
    if (!owner) throw unknownInstallation();
    const isKnown = await this.links.decide(appId, owner.deviceId, opened, this.clock.now());
    if (!isKnown) throw new DomainError('NOT_FOUND', 'The installation has no deferred deep link');
  }

  async #matchesByAddress(appId: string): Promise<boolean> {
    const known = this.#matching.get(appId);
    if (known !== undefined) return known;
    const start = this.clock.steadyMs();
    const matches = await this.links.isMatchedByAddress(appId);
    this.#matching.set(appId, matches, { start });
    return matches;
  }
}

/** An app's own user agent says nothing about the browser in which the link was clicked. */
function agentKeyOf(digest: AddressDigest, agent: string | undefined): Buffer | null {
  return agent?.startsWith('Mozilla/') === true ? digest.of('agent', agent) : null;
}

/** The platform of a click that a device of this type could have made. */
function platformOf(deviceType: string | null): string {
  if (deviceType === null) return 'android';
  if (/^(ios|iphone|ipad)/.test(deviceType)) return 'ios';
  return /^(android|huawei)/.test(deviceType) ? 'android' : 'desktop';
}

function majorOf(version: string | null): number | null {
  const found = version === null ? null : /\d{1,4}/.exec(version);
  return found ? Number(found[0]) : null;
}

function tokenOf({ clickToken, installReferrer }: RegistrationRequest): string | null {
  return (
    readClickToken(clickToken ?? null) ?? (installReferrer === undefined ? null : tokenInReferrer(installReferrer))
  );
}
