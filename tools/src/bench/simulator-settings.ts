import type { BenchSystem } from './bench-system';

/** Changes settings of the vendors' stand-in; what is not named stays. @throws what it says of a setting that it does not know */
export async function configureSimulator({ system }: BenchSystem, settings: Record<string, number>): Promise<void> {
  const answer = await fetch(`${system.simulatorUrl}/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  if (!answer.ok) throw new Error(`The simulator answered ${answer.status}: ${await answer.text()}`);
}

/** When the vendors took what they took, in milliseconds of the stand-in's clock, in order. */
export async function readArrivals({ system }: BenchSystem, most: number): Promise<{ at: number; token: string }[]> {
  const answer = await fetch(`${system.simulatorUrl}/inbox?limit=${most}`);
  const messages = (await answer.json()) as { acceptedAt: string; token: string }[];
  return messages.map(({ acceptedAt, token }) => ({ at: Date.parse(acceptedAt), token })).reverse();
}
