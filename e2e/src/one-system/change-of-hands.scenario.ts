import { Simulator } from '@postrider/tools/start/simulator';
import type { Postrider } from '../support/postrider';
import { type PassedOn, passOn } from './passed-on-phone';

/** More of them find what few do not: two thousand take some minutes. */
const PHONES = Number(process.env.PHONES ?? 6);
const AT_ONCE = 12;
const SAID_EVERY = 100;

/** Phones that change hands while their former owners are sent to without a pause. */
export function changeOfHandsScenario(system: () => Postrider): void {
  it(
    'have nothing of theirs once the change is answered, over the connection, by push or in the inbox',
    async () => {
      const postrider = system();
      const appId = 'phones';
      const { server, client, clientToken } = await postrider.createApplication(appId);
      const simulator = new Simulator(postrider.system.simulatorUrl);
      await simulator.configure({ inboxSize: 100_000 });
      const mqttUrl = postrider.system.mqtt?.url ?? '';
      const stage = { appId, server, client, simulator, mqttUrl, token: clientToken };
      const passed: PassedOn[] = [];
      let begun = 0;
      const passSome = async (): Promise<void> => {
        while (begun < PHONES) {
          const number = begun++;
          passed.push(await passOn(stage, number, number % 2 === 0));
          if (passed.length % SAID_EVERY === 0) process.stdout.write(`${JSON.stringify(sumUp(passed))}\n`);
        }
      };
      await Promise.all(Array.from({ length: Math.min(PHONES, AT_ONCE) }, passSome));
      expect(passed.flatMap(({ leaks }) => leaks)).toEqual([]);
      expect(passed).toHaveLength(PHONES);
    },
    300_000 + PHONES * 5_000,
  );
}

function sumUp(passed: readonly PassedOn[]): Record<string, number> {
  const sums = { phones: passed.length, sends: 0, overFormerConnection: 0, pushedBefore: 0, leaks: 0 };
  for (const { sends, overFormerConnection, pushedBefore, leaks } of passed) {
    sums.sends += sends;
    sums.overFormerConnection += overFormerConnection;
    sums.pushedBefore += pushedBefore;
    sums.leaks += leaks.length;
  }
  return sums;
}
