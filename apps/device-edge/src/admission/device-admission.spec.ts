import type { Traces } from '@postrider/platform';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { PresenceWriter } from '../presence/presence-writer.service';
import type { SessionRegistry } from '../session/session-registry';
import type { AccessTokenLookup } from './access-token-lookup.service';
import { DeviceAdmission } from './device-admission.service';
import type { InstallationLookup } from './installation-lookup.service';

describe('devices that connect while PostgreSQL is away', () => {
  it('are refused for now, with one warning for all of them', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino(
      { messageKey: 'event', formatters: { level: (level) => ({ level }) } },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    let reason: Error = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
    const accessTokens = { find: () => Promise.reject(reason) } as unknown as AccessTokenLookup;
    const admission = new DeviceAdmission(
      logger,
      accessTokens,
      {} as InstallationLookup,
      {} as PresenceWriter,
      { isFull: false } as SessionRegistry,
      { isOn: false } as Traces,
    );
    const connect = (): Promise<object> =>
      admission.admit({ clientId: `shop/ada/${randomUUID()}`, username: 't', password: 't' });

    const refused = { kind: 'refused', refusal: 'unavailable' };
    expect(await Promise.all([connect(), connect(), connect()])).toEqual([refused, refused, refused]);
    expect(lines).toMatchObject([{ level: 'warn', event: 'connection.not-admitted', reason: reason.message }]);
    expect(lines[0]).not.toHaveProperty('err');

    reason = new TypeError('a mistake');
    expect(await connect()).toEqual(refused);
    expect(lines[1]).toMatchObject({ level: 'warn', err: { message: 'a mistake' } });
  });
});
