import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RawHttp2Client } from '@postrider/testing';
import type { Controls } from '../control/controls';
import type { SimulatorCredentials } from '../credentials/credentials';
import { type RunningSimulator, VendorSimulator, type VendorSimulatorOptions } from '../vendor-simulator';

/** A simulator of one test file, and a client of its vendors' port for each test. */
export class SimulatorStage {
  running!: RunningSimulator;
  client!: RawHttp2Client;
  /** Where its certificates and credentials are. */
  folder!: string;
  #simulator!: VendorSimulator;

  get controls(): Controls {
    return this.running.controls;
  }

  get credentials(): SimulatorCredentials {
    return this.running.credentials;
  }

  async open(options: Omit<VendorSimulatorOptions, 'dataDir'>): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'simulator-'));
    this.#simulator = new VendorSimulator({ dataDir: this.folder, ...options });
    this.running = await this.#simulator.start();
  }

  /** Empties the inbox, takes faults back and connects anew. */
  begin(): void {
    this.controls.clearInbox();
    this.controls.setFaults([]);
    this.client = new RawHttp2Client(this.running.origin, this.running.ca);
  }

  async close(): Promise<void> {
    await this.#simulator.stop();
    await rm(this.folder, { recursive: true });
  }
}

/** A simulator for the tests of the file, as new before each of them. */
export function useSimulator(options: Omit<VendorSimulatorOptions, 'dataDir'> = {}): SimulatorStage {
  const stage = new SimulatorStage();
  beforeAll(() => stage.open(options));
  beforeEach(() => stage.begin());
  afterEach(() => stage.client.close());
  afterAll(() => stage.close());
  return stage;
}
