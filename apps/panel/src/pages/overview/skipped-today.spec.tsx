import { screen } from '@testing-library/react';
import { show } from '../../testing/show';
import { SkippedToday } from './skipped-today';

const NOW = '2026-11-24T12:00:00.000Z';

describe('the devices that today’s messages were not sent to', () => {
  it('are counted by reason, in words, with the vendors, the most frequent first', () => {
    show(
      <SkippedToday
        skips={{
          asOf: NOW,
          since: NOW,
          devices: 1_234_577,
          byReason: { no_token: 10, frequency_capped: 1_234_567 },
          byVendor: { fcm: { frequency_capped: 1_234_000 }, apns: { frequency_capped: 567 } },
        }}
      />,
    );
    expect(screen.getByText(/1,234,577 devices that today’s sends left out/)).toBeTruthy();
    const [first, second] = screen.getAllByRole('listitem');
    expect(first?.textContent).toContain('Firebase (FCM): 1,234,000 · Apple (APNs): 567');
    expect(first?.textContent).toContain('1,234,567');
    expect(second?.textContent).toMatch(/10$/);
  });

  it('are not spoken of where there are none, or where nobody has counted yet', () => {
    show(<SkippedToday skips={{ asOf: NOW, since: NOW, devices: 0, byReason: {}, byVendor: {} }} />);
    show(<SkippedToday skips={null} />);
    expect(screen.queryByText(/Not sent today/)).toBeNull();
  });
});
