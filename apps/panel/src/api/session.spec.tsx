import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { makeQueryClient } from './query-client';
import { useKeptReadings } from './session';

describe('what was read for hidden pages', () => {
  const HALF_A_DAY_MS = 43_200_000;

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is kept for as long as they are hidden', () => {
    const client = makeQueryClient();
    client.setQueryData(['shop', '/api/segments'], 'read');
    const { rerender } = renderHook(({ areHidden }) => useKeptReadings(areHidden), {
      initialProps: { areHidden: true },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    });
    jest.advanceTimersByTime(HALF_A_DAY_MS);
    expect(client.getQueryData(['shop', '/api/segments'])).toBe('read');
    rerender({ areHidden: false });
    jest.advanceTimersByTime(HALF_A_DAY_MS);
    expect(client.getQueryData(['shop', '/api/segments'])).toBeUndefined();
  });
});
