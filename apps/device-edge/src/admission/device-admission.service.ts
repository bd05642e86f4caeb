import { Inject, Injectable } from '@nestjs/common';
import { covers, isUuid, normaliseName } from '@postrider/domain';
import { OutageWarning } from '@postrider/persistence';
import { firstSpan, LOGGER, type Logger, Secret, Traces } from '@postrider/platform';
import { PresenceWriter } from '../presence/presence-writer.service';
import type { Admission, ConnectRequest } from '../session/device-session';
import { SessionRegistry } from '../session/session-registry';
import { AccessTokenLookup, type LiveAccessToken } from './access-token-lookup.service';
import { InstallationLookup } from './installation-lookup.service';

/** The parts of an MQTT client id: `<appId>/<userId>/<installationId>`. */
interface ClientId {
  appId: string;
  /** Normalised, as user ids are stored and compared. */
  userId: string;
  /** As the client spells it. */
  userText: string;
  installationId: string;
}

/**
 * Reads a client id. The user id is the text between the first and the last slash, and may contain slashes.
 *
 * @returns null for a text that is not a client id
 */
function readClientId(clientId: string): ClientId | null {
  const first = clientId.indexOf('/');
  const last = clientId.lastIndexOf('/');
  if (first <= 0 || last <= first + 1) return null;
  const appId = clientId.slice(0, first);
  const userText = clientId.slice(first + 1, last);
  const installationId = clientId.slice(last + 1);
  const userId = normaliseName(userText);
  if (!isUuid(installationId) || userId === null) return null;
  return { appId, userId, userText, installationId };
}

/**
 * Decides who connects: a registered installation, under the user id of its owner, with an access token of its application
 * that covers devices. An admitted device is present from then on.
 */
@Injectable()
export class DeviceAdmission {
  readonly #notAdmitted: OutageWarning;

  constructor(
    @Inject(LOGGER) logger: Logger,
    private readonly accessTokens: AccessTokenLookup,
    private readonly installations: InstallationLookup,
    private readonly presence: PresenceWriter,
    private readonly registry: SessionRegistry,
    private readonly traces: Traces,
  ) {
    this.#notAdmitted = new OutageWarning(logger, 'connection.not-admitted');
  }

  /** Never rejects: while PostgreSQL is not available nobody is admitted. */
  async admit(request: ConnectRequest): Promise<Admission> {
    const startedAt = performance.now();
    const admission = await this.#admit(request).catch((error: unknown): Admission => {
      // Every device of an edge may try while PostgreSQL is away.
      this.#notAdmitted.log(error);
      return { kind: 'refused', refusal: 'unavailable' };
    });
    if (this.traces.isOn) this.#trace(admission, startedAt);
    return admission;
  }

  /** Whether there is an installation with this id. */
  async isInstallation(appId: string, id: string): Promise<boolean> {
    return (await this.installations.find(appId, id)) !== null;
  }

  async #admit(request: ConnectRequest): Promise<Admission> {
    const client = readClientId(request.clientId);
    if (client === null) return { kind: 'refused', refusal: 'bad_client_id' };
    if (this.registry.isFull) return { kind: 'refused', refusal: 'busy' };
    // The published client sends its access token as both.
    const accessToken = request.username === request.password ? await this.accessTokens.find(request.username) : null;
    if (accessToken === null) return { kind: 'refused', refusal: 'bad_credentials' };
    if (accessToken.appId !== client.appId || !covers(accessToken.scopes, 'devices')) {
      return { kind: 'refused', refusal: 'not_authorized' };
    }
    return this.#enter(client, accessToken, request.username);
  }

  async #enter(client: ClientId, accessToken: LiveAccessToken, text: string): Promise<Admission> {
    const { appId, userId, userText } = client;
    await this.presence.hasLeft(appId, client.installationId);
    const device = await this.installations.findConnecting(appId, client.installationId, userId);
    if (device === null) return this.#notOwned(client);
    const { deviceId, deviceType, channels, subscriptions, inFlight, unreleased, sessionEnds } = device;
    const present = await this.presence.enter({ appId, deviceId, userId });
    if (present === null) return this.#notOwned(client);
    return {
      kind: 'admitted',
      subscriptions,
      inFlight,
      unreleased,
      sessionEnds,
      identity: {
        appId,
        installationId: client.installationId,
        deviceId,
        userId,
        userText,
        deviceType,
        channels,
        epoch: present.epoch,
        userSinceMs: present.userSince.getTime(),
        hasChangedHands: present.hasChangedHands,
        mayRead: covers(accessToken.scopes, 'read'),
        sendAccessToken: covers(accessToken.scopes, 'send') ? new Secret(text) : null,
        accessTokenKey: accessToken.key,
      },
    };
  }

  /**
   * A page may connect as its user before the registration of this user is answered. It is admissible a moment later, unless
   * another connection of its device is served by then.
   */
  #notOwned({ appId, installationId, userId }: ClientId): Admission {
    const isAdmissible = async (): Promise<boolean> => {
      const device = await this.installations.find(appId, installationId);
      return device?.userId === userId && this.registry.find(appId, device.deviceId) === undefined;
    };
    return { kind: 'refused', refusal: 'not_authorized', isAdmissible };
  }

  /** A CONNECT starts a trace of its own: a client cannot name one. */
  #trace(admission: Admission, startedAt: number): void {
    const isAdmitted = admission.kind === 'admitted';
    this.traces.record({
      name: 'connect',
      kind: 'server',
      place: { first: firstSpan() },
      startedAt,
      facts: {
        application: isAdmitted ? admission.identity.appId : undefined,
        outcome: isAdmitted ? 'admitted' : admission.refusal,
        isResumed: isAdmitted ? admission.subscriptions !== null : undefined,
      },
    });
  }
}
