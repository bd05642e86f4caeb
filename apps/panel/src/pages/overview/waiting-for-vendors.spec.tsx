import { screen } from '@testing-library/react';
import { show } from '../../testing/show';
import { WaitingForVendors } from './waiting-for-vendors';

describe('the devices that wait for vendors', () => {
  it('are counted, and the vendors named', () => {
    show(
      <WaitingForVendors
        waiting={[
          { vendor: 'hms', devices: 8_000 },
          { vendor: 'webpush', devices: 869 },
        ]}
      />,
    );
    expect(screen.getByText(/8,869 devices wait for Huawei \(HMS\) and Web Push/)).toBeTruthy();
  });

  it('are not spoken of where there are none', () => {
    show(<WaitingForVendors waiting={[]} />);
    expect(screen.queryByText(/wait/)).toBeNull();
  });
});
