import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type RegistrationRequest, vendorTokenOf } from '@postrider/contracts';
import { CONFIG, type Config } from '@postrider/platform';
import { countedAddress } from '../../auth/counted-address';

/** What a request tells about its browser. */
type PageRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * Names the installation that a page makes when it starts. A page that signs its user in at once registers twice before
 * it has an id: its guest and its user, both with the time of its start. They get one id, from any gateway, and in any
 * order. The id is derived from the page's facts under the service's secret, so that nobody else can compute it.
 */
@Injectable()
export class PageStart {
  readonly #key: Buffer;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'secretKey' | 'trustedProxies'>) {
    this.#key = createHmac('sha256', config.secretKey.reveal()).update('postrider/page-start/1').digest();
  }

  /**
   * Uses only facts that stay the same while a page starts, and that two browsers of one network hardly share: two
   * times in milliseconds among them.
   *
   * @returns null if the registration is not a page's, or its vendor token identifies the installation
   */
  installationIdOf(appId: string, request: RegistrationRequest, http: PageRequest): string | null {
    const { deviceType, launchTime, installDate, osVersion, timeZone, rest } = request;
    if (deviceType !== 'web' || launchTime === undefined || vendorTokenOf(request).token !== null) return null;
    if (rest.isGuest !== true && rest.isLoggedIn !== true) return null;
    const { origin, 'user-agent': agent } = http.headers;
    const address = countedAddress(http, this.config.trustedProxies);
    const page = [launchTime, installDate, osVersion, timeZone, rest.deviceModel, rest.browserVersion];
    const facts = JSON.stringify([appId, address, origin, agent, ...page]);
    return toUuid(createHmac('sha256', this.#key).update(facts).digest());
  }
}

/** A UUID of version 8, whose content the application defines (RFC 9562 §5.8). */
function toUuid(digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
