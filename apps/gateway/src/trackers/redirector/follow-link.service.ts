import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, HOUR_MS, MINUTE_MS } from '@postrider/domain';
import type { DeferredClick } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, createExpiringCache, secretKeysOf } from '@postrider/platform';
import { openTrackedLink, trackedLinkKey, type TrackedLinkKey } from '@postrider/rendering';
import { LRUCache } from 'lru-cache';
import { countedAddress } from '../../auth/counted-address';
import { chooseWay, type ClickQuery, type ClickTarget } from './choose-way';
import { type ClickAnswer, prepareAnswer, TOKEN_PLACE } from './click-answer';
import { ClickBuffer } from './click-buffer.service';
import { newClickToken, tokenKey } from '../click-token';
import { AddressDigest, clientAddress } from '../client-address';
import { FindTargets } from './find-targets.service';
import { isPrefetch, readVisitor, type Visitor } from './read-visitor';

/** Only text with the form of a tracker id is looked up. */
const TRACKER_ID = /^[A-Za-z0-9]{6,64}$/;
/** The number of links with prepared answers. A campaign has few. */
const PREPARED = 2_000;
const LONGEST_PREPARED = 2_048;
/**
 * The number of clicks per minute and address whose link waits for its app: each is a row of its own, and anybody can
 * click. Thousands of phones may share one address of a mobile network.
 */
const MOST_WAITING = 600;
const ADDRESSES = 20_000;
/** The number of cached targets of tracked links. */
const PLACES = 2_000;

/** The parts of a request that a click needs. */
type ClickRequest = Pick<IncomingMessage, 'method' | 'headers' | 'socket'>;

/** A click and its answer. */
export interface FollowedClick {
  answer: ClickAnswer;
  token: string;
}

/** A tracker's link with its parameters, and its prepared answers, by kind of visitor. */
interface PreparedLink {
  trackerId: string;
  query: ClickQuery;
  /** The tracker of the answers. If it is another object, the tracker was changed. */
  target: ClickTarget;
  answers: Map<string, ClickAnswer>;
}

/** Follows tracker links and tracked links of messages, and records the clicks. */
@Injectable()
export class FollowLink {
  readonly #digest: AddressDigest;
  readonly #linkKeys: readonly TrackedLinkKey[];
  readonly #prepared = new LRUCache<string, PreparedLink>({ max: PREPARED });
  readonly #places = new LRUCache<string, { url: string | null }>({ max: PLACES });
  readonly #waiting: LRUCache<string, { clicks: number }>;

  constructor(
    private readonly targets: FindTargets,
    private readonly clicks: ClickBuffer,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.#digest = new AddressDigest(config.secretKey.reveal());
    this.#waiting = createExpiringCache(clock, ADDRESSES, MINUTE_MS);
    this.#linkKeys = secretKeysOf(config).map((secret) => trackedLinkKey(secret.reveal()));
  }

  /** Follows a link that was followed lately, synchronously, by its URL only. Undefined: it has to be looked up. */
  clickAgain(url: string, request: ClickRequest): FollowedClick | undefined {
    const link = this.#prepared.get(url);
    const target = link && this.targets.findKnown(link.trackerId);
    if (!link || !target) return undefined;
    if (target !== link.target) {
      link.target = target;
      link.answers.clear();
    }
    return this.#follow(link, request);
  }

  /**
   * Follows a tracker's link, and caches it by its URL.
   *
   * @returns null for an unknown tracker; synchronously if it is in memory
   */
  click(
    { url, trackerId, query }: { url: string; trackerId: string; query: ClickQuery },
    request: ClickRequest,
  ): FollowedClick | null | Promise<FollowedClick | null> {
    if (!TRACKER_ID.test(trackerId)) return null;
    const follow = (target: ClickTarget | null): FollowedClick | null => {
      if (target === null) return null;
      const link: PreparedLink = { trackerId, query, target, answers: new Map() };
      if (url.length <= LONGEST_PREPARED) this.#prepared.set(url, link);
      return this.#follow(link, request);
    };
    const found = this.targets.find(trackerId);
    return found instanceof Promise ? found.then(follow) : follow(found);
  }

  /** Where a tracked link of a message leads, in the form for browsers. Null for a text that is not such a link. */
  clickLink(token: string, request: ClickRequest): string | null {
    const sealed = openTrackedLink(this.#linkKeys, token);
    if (sealed === null) return null;
    if (isByPerson(request, readVisitor(request.headers['user-agent']))) {
      this.clicks.addLink({ ...sealed, at: this.clock.now() });
    }
    const known = this.#places.get(sealed.link);
    if (known !== undefined) return known.url;
    const url = URL.canParse(sealed.link) ? new URL(sealed.link).href : null;
    this.#places.set(sealed.link, { url });
    return url;
  }

  #follow(link: PreparedLink, request: ClickRequest): FollowedClick {
    const visitor = readVisitor(request.headers['user-agent']);
    const answer = link.answers.get(visitor.kind) ?? this.#prepare(link, visitor);
    const token = newClickToken();
    if (isByPerson(request, visitor)) this.#note(link.target, request, { answer, visitor, token });
    return { answer, token };
  }

  #prepare({ target, query, answers }: PreparedLink, visitor: Visitor): ClickAnswer {
    const answer = prepareAnswer(chooseWay(target, query, visitor, TOKEN_PLACE), visitor, target);
    answers.set(visitor.kind, answer);
    return answer;
  }

  /**
   * A deep link waits for its app only if the app can be installed on the platform, and if not too many wait for the
   * address. Clicks without a waiting link are counted together.
   */
  #note(target: ClickTarget, request: ClickRequest, click: FollowedClick & { visitor: Visitor }): void {
    const { appId, trackerId } = target;
    const { platform } = click.visitor;
    const at = this.clock.now();
    const address = clientAddress(request, this.config.trustedProxies);
    const agent = request.headers['user-agent'] ?? '';
    const sameness = `${trackerId} ${Math.floor(at.getTime() / HOUR_MS)} ${address ?? click.token} ${agent}`;
    const isAlone = click.answer.deepLink !== null && this.#mayWait(request);
    if (!isAlone && this.clicks.addSame(sameness)) return;
    const day = at.toISOString().slice(0, 10);
    const visitor = this.#digest.of('visitor', trackerId, day, address ?? click.token, agent);
    const deferred = isAlone ? this.#deferredOf(target, { ...click, at, address, agent }) : null;
    this.clicks.add({ appId, trackerId, at, platform, visitor, deferred, times: 1 }, isAlone ? null : sameness);
  }

  #mayWait(request: ClickRequest): boolean {
    const address = countedAddress(request, this.config.trustedProxies);
    const counted = this.#waiting.get(address);
    if (counted) return (counted.clicks += 1) <= MOST_WAITING;
    this.#waiting.set(address, { clicks: 1 });
    return true;
  }

  #deferredOf(
    { appId, matchByAddress, deferredLinkMinutes }: ClickTarget,
    click: FollowedClick & { visitor: Visitor; at: Date; address: string | null; agent: string },
  ): DeferredClick | null {
    const { address, agent, at } = click;
    const { deepLink } = click.answer;
    if (deepLink === null) return null;
    return {
      tokenKey: tokenKey(click.token),
      deepLink,
      osMajor: click.visitor.osMajor,
      agentKey: matchByAddress ? this.#digest.of('agent', agent) : null,
      addressKey: matchByAddress && address !== null ? this.#digest.of('address', appId, address) : null,
      expiresAt: new Date(at.getTime() + deferredLinkMinutes * MINUTE_MS),
    };
  }
}

/** Crawlers, previews and prefetching browsers follow links that nobody clicked. */
function isByPerson(request: ClickRequest, visitor: Visitor): boolean {
  return request.method === 'GET' && !visitor.isRobot && !isPrefetch(request.headers);
}
