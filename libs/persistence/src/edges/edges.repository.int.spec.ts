import { addDevice, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { EdgesRepository } from './edges.repository';

describe('device edges', () => {
  let throwAway: ThrowAwayDatabase;
  let edges: EdgesRepository;

  beforeEach(async () => {
    throwAway = await createThrowAwayDatabase();
    edges = new EdgesRepository(throwAway.dataSource);
    await rows(
      throwAway.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
  });

  afterEach(() => throwAway.drop());

  it('are needed as soon as a device is registered for a connection', async () => {
    const installationId = await addDevice(throwAway.dataSource, { appId: 'shop', userId: 'ada' });
    expect(await edges.areNeeded()).toBe(false);
    await rows(throwAway.dataSource, `UPDATE installations SET realtime = true WHERE installation_id = $1`, [
      installationId,
    ]);
    expect(await edges.areNeeded()).toBe(true);
  });

  it('are needed for good once a device has connected, also when all edges and devices are gone', async () => {
    await edges.beat('edge-1');
    await edges.remove('edge-1');
    expect(await edges.areNeeded()).toBe(false);
    await rows(throwAway.dataSource, `SELECT nextval('presence_epochs')`);
    expect([await edges.secondsUnheard(), await edges.areNeeded()]).toEqual([null, true]);
  });
});
