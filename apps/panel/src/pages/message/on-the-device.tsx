import { NativeSelect, Stack } from '@mantine/core';
import { contentOfEdition, DEFAULT_EDITION, type Edition, editionKey, editionsOf } from '@postrider/domain';
import type { MessageContent } from '@postrider/domain';
import type { MessageContentResponse } from '@postrider/server/document';
import { type ReactNode, useState } from 'react';
import { SectionCard } from '../../components/section-card';
import { NotificationPreview, useApplication } from './notification-preview';

/** How a message looks: in each of its languages, and in each of its variants. */
export function OnTheDevice(props: { content: MessageContentResponse }): ReactNode {
  const content = props.content as MessageContent;
  const { name, defaultAlertText } = useApplication();
  const [chosen, choose] = useState('');
  const editions = editionsOf(content);
  const edition = editions.find((one) => editionKey(one) === chosen) ?? editions[0] ?? DEFAULT_EDITION;
  return (
    <SectionCard title="On the device">
      <Stack gap="md">
        {editions.length > 1 && (
          <NativeSelect
            label={content.variants === undefined ? 'Language shown' : 'Variant shown'}
            data={editions.map((one) => ({ value: editionKey(one), label: sayEdition(one) }))}
            value={editionKey(edition)}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        )}
        <NotificationPreview
          content={contentOfEdition(content, edition) as MessageContentResponse}
          applicationName={name}
          defaultAlert={defaultAlertText}
        />
      </Stack>
    </SectionCard>
  );
}

function sayEdition({ language, variant }: Edition): string {
  if (variant === undefined) return language ?? 'Default';
  return language === null ? variant : `${variant}, in ${language}`;
}
