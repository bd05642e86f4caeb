import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { FakeGateway } from '../testing/fake-gateway';
import { show } from '../testing/show';
import { useRead } from './reading';

const PATH = '/api/push/overview/campaigns';

function EverySecond(): ReactNode {
  const { data } = useRead(PATH, { pollMs: 1_000 });
  return data === undefined ? 'nothing' : 'counted';
}

describe('something that is read again and again', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const pass = (seconds: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(seconds * 1_000));

  it('is asked for every ten seconds while it cannot be read, and as often as before once it can', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('GET', PATH, 500, { message: 'Something is wrong' });
    show(<EverySecond />, { gateway });
    await pass(9);
    expect(gateway.askedFor('GET', PATH)).toHaveLength(1);

    gateway.answer('GET', PATH, { asOf: null, days: [] });
    await pass(2);
    screen.getByText('counted');
    const asked = gateway.askedFor('GET', PATH).length;
    await pass(2);
    expect(gateway.askedFor('GET', PATH).length).toBeGreaterThan(asked);
  });
});
