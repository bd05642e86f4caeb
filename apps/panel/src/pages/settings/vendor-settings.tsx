import type { ReactNode } from 'react';
import { useAppId } from '../../api/application';
import { useAdminRead } from '../../api/reading';
import { SectionCard } from '../../components/section-card';
import { RowList } from './row-list';
import { VENDOR_PLANS } from './vendor-fields';
import { VendorRow } from './vendor-row';

const POLL_MS = 5_000;

/** The vendors: which are connected, how they are, and their credentials. */
export function VendorSettings(): ReactNode {
  const params = { path: { id: useAppId() } };
  const stored = useAdminRead('/api/admin/apps/{id}/vendors', { params });
  const health = useAdminRead('/api/admin/apps/{id}/vendors/health', { params, pollMs: POLL_MS });
  return (
    <SectionCard
      title="Vendors"
      description="Who carries messages to devices. Secrets are stored sealed and never shown again."
    >
      <RowList
        found={stored}
        items={stored.data && VENDOR_PLANS}
        waitingHeight={300}
        row={(plan) => (
          <VendorRow
            key={plan.vendor}
            plan={plan}
            stored={stored.data?.find(({ vendor }) => vendor === plan.vendor)}
            health={health.data?.vendors.find(({ vendor }) => vendor === plan.vendor)}
          />
        )}
      />
    </SectionCard>
  );
}
