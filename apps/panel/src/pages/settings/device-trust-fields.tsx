import { Radio, Stack, Switch, TagsInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemAt } from '../../api/api-error';
import type { ApplicationResponse } from '../../api/generated/document';
import { formatCount } from '../../components/format';

/** What an application lets those do who only have the key that ships inside its app. */
export type DeviceTrust = Pick<ApplicationResponse, 'requireUserHash' | 'clientTags' | 'protectedAttributes'>;

/** What devices may do that have not proved whose they are, and how many these are. */
export function DeviceTrustFields(props: {
  trust: DeviceTrust;
  /** Null: they are being counted. */
  unprovedDevices: number | null | undefined;
  error: Error | null;
  onChange: (trust: DeviceTrust) => void;
}): ReactNode {
  const { trust, unprovedDevices, error, onChange } = props;
  return (
    <>
      <Switch
        label="Devices have to prove whose they are"
        description="Your backend signs each user id with the identity key. Devices that never proved it get nothing until they do."
        checked={trust.requireUserHash}
        onChange={({ currentTarget }) => onChange({ ...trust, requireUserHash: currentTarget.checked })}
      />
      <Text size="sm" c="dimmed">
        {sayUnproved(unprovedDevices)}
      </Text>
      <TagsInput
        label="Protected attributes"
        description="A device sets them only when it proves whose it is; your backend always can"
        value={trust.protectedAttributes}
        onChange={(protectedAttributes) => onChange({ ...trust, protectedAttributes })}
        error={problemAt(error, 'protectedAttributes')}
      />
      <Radio.Group
        label="Whose tags an app may change with its own key"
        value={trust.clientTags}
        onChange={(clientTags) => onChange({ ...trust, clientTags })}
        error={problemAt(error, 'clientTags')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="own" label="Those of the device’s own user" />
          <Radio value="any" label="Anybody’s, as the published web client needs it" />
          <Radio value="none" label="Nobody’s" />
        </Stack>
      </Radio.Group>
    </>
  );
}

function sayUnproved(devices: number | null | undefined): string {
  if (devices === null || devices === undefined) return 'Devices that have not proved whose they are: being counted';
  return `Devices that have not proved whose they are: ${formatCount(devices)}`;
}
