import { StateStore } from '../registration/installation-state';
import { Registrar } from '../registration/registrar';
import { memoryStorage, type ClientStorage } from '../storage/client-storage';
import { FakeService } from './fake-service';

/** A device and its service. */
export interface TestDevice {
  service: FakeService;
  storage: ClientStorage;
  registrar: Registrar;
  /** The registrations that were reported: the id, and whether the device has changed. */
  told: [id: string, hasChanged: boolean][];
}

/** @param storage of a device that was there before */
export function testDevice(service = new FakeService(), storage = memoryStorage()): TestDevice {
  const told: TestDevice['told'] = [];
  const store = new StateStore(storage, 'shop', { url: 'https://push.example', token: 't' });
  const options = { appId: 'shop', device: { deviceType: 'desktop', clientVersion: '2.0' } };
  const registrar = new Registrar(service.api(), store, options, {
    registered: ({ id }, hasChanged) => told.push([id, hasChanged]),
  });
  return { service, storage, registrar, told };
}
