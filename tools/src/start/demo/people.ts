import { drawPopulation, type SeedDevice, type SeedUser } from '../../seed/population';
import { oneOf } from './random';

const FIRST =
  'Sara Omid Mei Lukas Aylin Grace João Yuki Chidi Priya Anna Reza Wei Emma Can Noah Beatriz Haruto Ngozi Arjun Lena Nima Jun Oliver Elif Mia Pedro Sakura Tunde Kavya Jonas Leila Hao Ruby Deniz Liam Rafaela Ren Amara Rohan';
const LAST =
  'Lindqvist Ahmadi Chen Weber Yilmaz Okafor Silva Tanaka Adeyemi Sharma Novak Rahimi Wang Clarke Demir Martin Costa Sato Eze Patel Fischer Karimi Lin Hughes Kaya Moreau Souza Suzuki Balogun Iyer';
const [FIRST_NAMES, LAST_NAMES] = [FIRST.split(' '), LAST.split(' ')];
/** A place, the share of its people who left a number, and how numbers begin there: ranges kept free for fiction. */
const PHONES: Readonly<Record<string, string>> = { London: '+447700900', 'New York': '+12025550' };

/**
 * Devices of people with names. Of the same kind as those of `npm run seed`: interests as tags, places, versions that age, a few
 * devices that cannot be reached.
 *
 * @param subscriptions what browsers get as their tokens; further browsers get none
 */
export function drawPeople(
  count: number,
  now: Date,
  random: () => number,
  subscriptions: readonly string[],
): SeedDevice[] {
  const left = [...subscriptions];
  const names = new Map<SeedUser, string>();
  const mix = { fcm: 0.6, apns: 0.31, hms: 0.03, webpush: 0.06 };
  const devices = [...drawPopulation(count, mix, now)];
  for (const device of devices) {
    if (!names.has(device.user)) {
      const { name, userId } = drawName(names.size, random);
      names.set(device.user, userId);
      Object.assign(device.user, {
        userId,
        attributes: { ...device.user.attributes, ...factsOf(name, device, random) },
      });
    }
    if (device.pushType === 'webpush') device.token = left.pop() ?? null;
  }
  return devices;
}

function drawName(number: number, random: () => number): { name: string; userId: string } {
  const [first, last] = [oneOf(FIRST_NAMES, random), oneOf(LAST_NAMES, random)];
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  return { name: first, userId: `${plain}.${number + 1}` };
}

function factsOf(name: string, { place }: SeedDevice, random: () => number): SeedUser['attributes'] {
  const prefix = PHONES[place.city];
  const number = String(Math.floor(random() * 1_000)).padStart(3, '0');
  return { name, city: place.city, ...(prefix === undefined ? {} : { phone: `${prefix}${number}` }) };
}
