import { Button, Group, Radio, Stack, TextInput, Switch, TagsInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemAt } from '../../api/api-error';
import { useAdminApi, ADMIN, answerOf, keyOf } from '../../api/client';
import type { ApplicationChangesRequest, ApplicationResponse } from '@postrider/server/document';
import { ApplicationChangesRequest as limits } from '../../api/generated/limits';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { useEdits } from '../../components/use-edits';
import { SectionCard } from '../../components/section-card';
import classes from './settings.module.css';
import { formatCount } from '../../components/format';

/** The rights of devices that have only the key that the app contains. */
type DeviceTrust = Pick<ApplicationResponse, 'requireUserHash' | 'clientTags' | 'protectedAttributes'>;

/** The rights of devices that have not proved who their user is, and how many these are. */
function DeviceTrustFields(props: {
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
        label="Require proof of the user"
        description="Your backend signs each user id with the identity key. Devices without this proof get no messages."
        checked={trust.requireUserHash}
        onChange={({ currentTarget }) => onChange({ ...trust, requireUserHash: currentTarget.checked })}
      />
      <Text size="sm" c="dimmed">
        {sayUnproved(unprovedDevices)}
      </Text>
      <TagsInput
        label="Protected attributes"
        description="A device needs the proof to set them. Your backend can always set them"
        value={trust.protectedAttributes}
        onChange={(protectedAttributes) => onChange({ ...trust, protectedAttributes })}
        error={problemAt(error, 'protectedAttributes')}
      />
      <Radio.Group
        label="Tags that apps may change"
        value={trust.clientTags}
        onChange={(clientTags) => onChange({ ...trust, clientTags })}
        error={problemAt(error, 'clientTags')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="own" label="Tags of the device’s user" />
          <Radio value="any" label="Tags of any user (needed by the published web client)" />
          <Radio value="none" label="Nobody’s" />
        </Stack>
      </Radio.Group>
    </>
  );
}

function sayUnproved(devices: number | null | undefined): string {
  if (devices === null || devices === undefined) return 'Devices without proof: being counted';
  return `Devices without proof: ${formatCount(devices)}`;
}

type General = Pick<ApplicationResponse, 'name' | 'defaultAlertText' | 'promoExhausted'> & { defaultRegion: string };

type Settings = General & DeviceTrust;

/** The name of the application, and its defaults for messages. */
export function GeneralForm({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const params = { path: { id: application.id } };
  const { values: general, changed, base, change, markSaved } = useEdits<Settings>(settingsOf(application));
  const saving = useSave({
    save: async (saved: Partial<Settings>) => {
      if (Object.keys(saved).length === 0) return saved;
      const body = bodyOf(saved);
      if (saved.protectedAttributes) {
        // They are stored as a whole: what another operator added or removed meanwhile stays so.
        const newest = await answerOf(api.GET('/api/admin/apps/{id}', { params }));
        const known = base.protectedAttributes ?? [];
        body.protectedAttributes = merged(saved.protectedAttributes, known, newest.protectedAttributes);
      }
      await api.PATCH('/api/admin/apps/{id}', { params, body });
      return saved;
    },
    said: 'The settings are saved',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params), keyOf(ADMIN, '/api/admin/apps')],
    onDone: markSaved,
  });
  return (
    <SectionCard title="Application">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(changed);
        }}
      >
        <Fields general={general} error={saving.error} onChange={change} />
        <DeviceTrustFields
          trust={general}
          unprovedDevices={application.unprovedDevices}
          error={saving.error}
          onChange={change}
        />
        <ErrorNotice
          error={saving.error}
          shownPaths={[
            'name',
            'defaultAlertText',
            'defaultRegion',
            'promoExhausted',
            'clientTags',
            'protectedAttributes',
          ]}
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </SectionCard>
  );
}

function settingsOf(application: ApplicationResponse): Settings {
  return {
    name: application.name,
    defaultAlertText: application.defaultAlertText,
    defaultRegion: application.defaultRegion ?? '',
    requireUserHash: application.requireUserHash,
    clientTags: application.clientTags,
    protectedAttributes: application.protectedAttributes,
    promoExhausted: application.promoExhausted,
  };
}

/** Returns the newest names with those added and without those removed that `own` has and has not, compared with `base`. */
function merged(own: readonly string[], base: readonly string[], newest: readonly string[]): string[] {
  const kept = newest.filter((name) => own.includes(name) || !base.includes(name));
  const added = own.filter((name) => !base.includes(name) && !newest.includes(name));
  return [...kept, ...added];
}

/** An empty region is none. */
function bodyOf({ defaultRegion, ...settings }: Partial<Settings>): ApplicationChangesRequest {
  return { ...settings, ...(defaultRegion === undefined ? {} : { defaultRegion: defaultRegion || null }) };
}

function Fields(props: { general: General; error: Error | null; onChange: (general: General) => void }): ReactNode {
  const { general, error, onChange } = props;
  return (
    <>
      <TextInput
        label="Name"
        maxLength={limits.name.maxLength}
        value={general.name}
        onChange={({ currentTarget }) => onChange({ ...general, name: currentTarget.value })}
        error={problemAt(error, 'name')}
        required
      />
      <TextInput
        label="Default text of notifications"
        maxLength={limits.defaultAlertText.maxLength}
        value={general.defaultAlertText}
        onChange={({ currentTarget }) => onChange({ ...general, defaultAlertText: currentTarget.value })}
        error={problemAt(error, 'defaultAlertText')}
        required
      />
      <TextInput
        label="Region of phone numbers without country code"
        description="Two letters, as in IR, DE, US; for fallback SMS"
        value={general.defaultRegion}
        onChange={({ currentTarget }) => onChange({ ...general, defaultRegion: currentTarget.value })}
        error={problemAt(error, 'defaultRegion')}
        maxLength={limits.defaultRegion.maxLength}
        styles={{ wrapper: { maxWidth: '10rem' } }}
      />
      <Radio.Group
        label="When all promo codes are used up"
        value={general.promoExhausted}
        onChange={(promoExhausted) => onChange({ ...general, promoExhausted })}
        error={problemAt(error, 'promoExhausted')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="send_without" label="Send the message without a code" />
          <Radio value="skip" label="Do not send the message to users without a code" />
        </Stack>
      </Radio.Group>
    </>
  );
}
