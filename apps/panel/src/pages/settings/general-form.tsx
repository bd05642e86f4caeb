import { Radio, Stack, TextInput, Switch, TagsInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemAt } from '../../api/api-error';
import { ADMIN, keyOf } from '../../api/client';
import type { ApplicationChangesRequest, ApplicationResponse } from '@postrider/server/document';
import { ApplicationChangesRequest as limits } from '../../api/generated/limits';
import { SectionCard } from '../../components/section-card';
import { type Sayings, sayOvertaking } from './overtaking';
import { SettingsForm, type SettingsPart, useSettings } from './settings-form';
import { formatCount } from '../../components/format';

/** The rights of devices that have only the key that the app contains. */
type DeviceTrust = Pick<ApplicationResponse, 'requireUserHash' | 'clientTags' | 'protectedAttributes'>;

const TAGS: Record<ApplicationResponse['clientTags'], string> = {
  own: 'Tags of the device’s user',
  any: 'Tags of any user (needed by the published web client)',
  none: 'Nobody’s',
};

const EXHAUSTED: Record<ApplicationResponse['promoExhausted'], string> = {
  send_without: 'Send the message without a code',
  skip: 'Do not send the message to users without a code',
};

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
          <Radio value="own" label={TAGS.own} />
          <Radio value="any" label={TAGS.any} />
          <Radio value="none" label={TAGS.none} />
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

const SHOWN = ['name', 'defaultAlertText', 'defaultRegion', 'promoExhausted', 'clientTags', 'protectedAttributes'];

/** Not the protected attributes: what two operators changed of them is merged. */
const SAYINGS: Sayings<Settings> = {
  name: ({ name }) => `the name “${name}”`,
  defaultAlertText: ({ defaultAlertText }) => `the default text “${defaultAlertText}”`,
  defaultRegion: ({ defaultRegion }) => (defaultRegion === '' ? 'no region' : `the region ${defaultRegion}`),
  requireUserHash: ({ requireUserHash }) => `proof of the user is ${requireUserHash ? '' : 'not '}required`,
  clientTags: ({ clientTags }) => `apps may change ${TAGS[clientTags].toLowerCase()}`,
  promoExhausted: ({ promoExhausted }) => `without a code: ${EXHAUSTED[promoExhausted].toLowerCase()}`,
};

const GENERAL: SettingsPart<Settings> = {
  settingsOf,
  sayTheirs: (stored, edits) => sayOvertaking(stored, edits, SAYINGS),
  bodyOf,
  overtaken: 'Somebody else has changed these settings',
  said: 'The settings are saved',
  alsoShownIn: [keyOf(ADMIN, '/api/admin/apps')],
};

/** The name of the application, and its defaults for messages. */
export function GeneralForm({ application }: { application: ApplicationResponse }): ReactNode {
  const settings = useSettings(application, GENERAL);
  const { values, change, error } = settings;
  return (
    <SectionCard title="Application">
      <SettingsForm settings={settings} shownPaths={SHOWN}>
        <Fields general={values} error={error} onChange={change} />
        <DeviceTrustFields
          trust={values}
          unprovedDevices={application.unprovedDevices}
          error={error}
          onChange={change}
        />
      </SettingsForm>
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

/**
 * Returns what to save of the changes. An empty region is none. Protected attributes are stored as a whole: what another operator
 * added or removed meanwhile stays so.
 */
function bodyOf(
  { defaultRegion, protectedAttributes: own, ...settings }: Partial<Settings>,
  base: Partial<Settings>,
  newest: ApplicationResponse,
): ApplicationChangesRequest {
  return {
    ...settings,
    ...(defaultRegion === undefined ? {} : { defaultRegion: defaultRegion || null }),
    ...(own && { protectedAttributes: merged(own, base.protectedAttributes ?? [], newest.protectedAttributes) }),
  };
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
          <Radio value="send_without" label={EXHAUSTED.send_without} />
          <Radio value="skip" label={EXHAUSTED.skip} />
        </Stack>
      </Radio.Group>
    </>
  );
}
