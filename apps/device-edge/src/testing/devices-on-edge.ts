import type { IClientOptions } from 'mqtt';
import { connectDevice, type TestClient } from './test-client';
import { createTestLedger, type TestDevice, type TestEdge, type TestLedger } from './test-edge';

/** A database, an edge on it, and the devices that a test connects. They are there when the first test begins. */
interface DevicesOnEdge {
  readonly ledger: TestLedger;
  readonly edge: TestEdge;
  /** Connects a device to the edge, or to another address. @throws the client library's error if it is refused */
  connected(device: TestDevice, options?: IClientOptions, address?: string): Promise<TestClient>;
  /** The same, subscribed to what the device may hear. */
  subscribed(device: TestDevice, options?: IClientOptions): Promise<TestClient>;
}

/** Starts an edge before the tests of a file, and disconnects and removes all devices after each of them. */
export function devicesOnEdge(applications: readonly string[]): DevicesOnEdge {
  const clients: TestClient[] = [];
  let ledger: TestLedger;
  let edge: TestEdge;
  beforeAll(async () => {
    ledger = await createTestLedger();
    for (const application of applications) await ledger.application(application);
    edge = await ledger.startEdge();
  });
  afterAll(() => ledger.close());
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await ledger.database.query(`DELETE FROM installations`);
  });
  const connected = async (
    device: TestDevice,
    options: IClientOptions = {},
    address = `mqtt://127.0.0.1:${edge.ports.mqtt}`,
  ): Promise<TestClient> => {
    const client = await connectDevice(device, address, options);
    clients.push(client);
    return client;
  };
  return {
    get ledger() {
      return ledger;
    },
    get edge() {
      return edge;
    },
    connected,
    subscribed: async (device, options) => {
      const client = await connected(device, options);
      await client.subscribe(device.topic('default'), device.ownTopic);
      return client;
    },
  };
}
