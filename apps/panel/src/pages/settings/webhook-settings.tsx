import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Route, Switch } from 'wouter';
import { useRead } from '../../api/reading';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconWebhook } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { RowList } from './row-list';
import { WebhookForm } from './webhook-form';
import { WebhookLog } from './webhook-log';
import { WebhookRow } from './webhook-row';

/** Where other systems are told of what happens, and how that went. */
export function WebhookSettings(): ReactNode {
  return (
    <Switch>
      <Route path="/settings/webhooks/:id">{({ id }) => <WebhookLog id={id} />}</Route>
      <Route>
        <Webhooks />
      </Route>
    </Switch>
  );
}

function Webhooks(): ReactNode {
  const found = useRead('/api/webhooks');
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New webhook
    </Button>
  );
  const webhooks = found.data?.webhooks;
  return (
    <SectionCard
      title="Webhooks"
      description="Postrider calls these addresses when something happens, signed, and tries again when they do not answer."
      actions={webhooks !== undefined && webhooks.length > 0 && make}
    >
      <RowList
        found={found}
        items={webhooks}
        waitingHeight={140}
        empty={
          <EmptyState icon={IconWebhook} title="No webhook yet" action={make}>
            Have your systems told when a message is done, a token is removed, an SMS was sent or promo codes run low.
          </EmptyState>
        }
        row={(webhook) => <WebhookRow key={webhook.id} webhook={webhook} />}
      />
      <WebhookForm isOpen={isMaking} onClose={() => setMaking(false)} />
    </SectionCard>
  );
}
