import { type Clock, systemClock } from '@postrider/domain';
import { hostInUrl } from '@postrider/platform';
import { certificateFiles, certificatesOf } from './certificates/certificate-folder';
import { ControlServer } from './control/control-server';
import { Controls } from './control/controls';
import { secretsOf, writeCredentials } from './credentials/credential-folder';
import { credentialsAt, type SimulatorCredentials } from './credentials/credentials';
import { FaultBook } from './faults/fault-book';
import { Phones } from './phones/phones';
import { RequestRouter } from './request-router';
import { Inbox } from './inbox/inbox';
import { DEFAULT_SETTINGS, type Settings } from './settings/settings';
import { makeVendorApis } from './vendors/make-vendor-apis';
import { Subscriptions } from './vendors/webpush/subscriptions';
import { TlsFront } from './wire/tls-front';

/** The options of a simulator; each has a default. */
export interface VendorSimulatorOptions {
  /** The folder of certificates and credentials; made if it is missing. */
  dataDir: string;
  /** Address to listen on, and the host in every address handed out; default 127.0.0.1. */
  host?: string;
  /** Port of the vendors (TLS); default a free one. */
  port?: number;
  /** Port of the control interface (plain HTTP); default a free one. */
  controlPort?: number;
  settings?: Partial<Settings>;
  clock?: Clock;
}

/** The addresses of a started simulator, and its credentials. */
export interface RunningSimulator {
  tlsPort: number;
  controlPort: number;
  /** The base address of every vendor. */
  origin: string;
  /** The base address of the control interface. */
  controlOrigin: string;
  /** The certificate authority to trust: PEM, and the file it is in. */
  ca: string;
  caFile: string;
  credentials: SimulatorCredentials;
  controls: Controls;
}

/**
 * Simulates FCM, APNs, Huawei Push Kit, Web Push and three kinds of SMS provider: the real wire formats over TLS,
 * with real checks of credentials, an inbox of accepted messages, and faults on demand.
 */
export class VendorSimulator {
  private readonly servers: { close(): Promise<void> }[] = [];

  constructor(private readonly options: VendorSimulatorOptions) {}

  /**
   * Starts both servers; once it is done, everything handed out works.
   *
   * @throws when a port is taken (`EADDRINUSE`) or the data folder cannot be used; nothing is left running then
   */
  async start(): Promise<RunningSimulator> {
    try {
      return await this.open();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops both servers and drops their connections. Safe to call twice. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.close()));
  }

  private async open(): Promise<RunningSimulator> {
    const { dataDir, host = '127.0.0.1', port = 0, controlPort = 0, clock = systemClock } = this.options;
    const settings = { ...DEFAULT_SETTINGS, ...this.options.settings };
    const certificates = await certificatesOf(dataDir, clock.now(), host);
    const secrets = await secretsOf(dataDir);
    const subscriptions = new Subscriptions(secrets.subscriptionSeed);
    const apis = makeVendorApis({ secrets, subscriptions, settings, clock });
    const faults = new FaultBook();
    const phones = new Phones(clock);
    const inbox = new Inbox(apis, { ...settings }, clock, phones);
    const router = new RequestRouter(apis, faults, inbox, settings);
    const front = new TlsFront({
      certificate: certificates.server,
      privateKey: certificates.serverKey,
      maxConcurrentStreams: settings.maxConcurrentStreams,
      handle: (exchange) => router.handle(exchange),
    });
    const tlsPort = await front.listen(port, host);
    this.servers.push(front, {
      close: () => {
        phones.stop();
        return Promise.resolve();
      },
    });
    const origin = `https://${hostInUrl(host)}:${tlsPort}`;
    const limitStreams = (most: number): void => front.limitStreams(most);
    const controls = new Controls({ origin, inbox, faults, phones, settings, subscriptions, limitStreams });
    const control = new ControlServer(controls);
    const openControlPort = await control.listen(controlPort, host);
    this.servers.push(control);
    const credentials = credentialsAt(origin, secrets, certificates.ca);
    await writeCredentials(dataDir, credentials);
    return {
      tlsPort,
      controlPort: openControlPort,
      origin,
      controlOrigin: `http://${hostInUrl(host)}:${openControlPort}`,
      ca: certificates.ca,
      caFile: certificateFiles(dataDir).caFile,
      credentials,
      controls,
    };
  }
}
