import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { OverviewResponse } from '@postrider/server/document';
import { useSession } from '../../api/session';
import { formatNoun } from '../../components/format';
import { vendorName } from '../message/words';

type Waiting = NonNullable<OverviewResponse['devices']>['waitingForVendors'];

/** The devices that have a usable token of a vendor that is not connected. */
export function WaitingForVendors({ waiting }: { waiting: Waiting }): ReactNode {
  const { kind: who } = useSession();
  if (waiting.length === 0) return null;
  const devices = waiting.reduce((all, vendor) => all + vendor.devices, 0);
  const vendors = new Intl.ListFormat('en').format(waiting.map(({ vendor }) => vendorName(vendor)));
  return (
    <Text size="sm" mt="sm">
      {formatNoun(devices, 'device')} {devices === 1 ? 'waits' : 'wait'} for {vendors}:{' '}
      {who === 'operator' ? (
        <Anchor component={Link} href="/settings/vendors" size="sm">
          connect {waiting.length === 1 ? 'it' : 'them'}
        </Anchor>
      ) : (
        'an operator has to connect them'
      )}
      .
    </Text>
  );
}
