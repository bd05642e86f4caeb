import { Button, Group, Stack, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { problemAt } from '../../api/api-error';
import type { NewTrackerRequest } from '../../api/generated/document';
import { NewTrackerRequest as limits } from '../../api/generated/limits';
import { ErrorNotice } from '../../components/error-notice';
import { linkProblem } from '../../model/message-problems';
import { type TrackerForm as Form, trackerBody } from '../../model/tracker-form';

type TextField = Exclude<keyof Form, 'allowedHosts'>;

const LINKS: { field: TextField; path: string; label: string; about: string; placeholder: string }[] = [
  {
    field: 'deepLink',
    path: 'deepLink',
    label: 'Screen of the app',
    about: 'Opened when the app is installed, unless a link names another one.',
    placeholder: 'shop://orders/8841',
  },
  {
    field: 'ios',
    path: 'platforms.ios',
    label: 'Without the app on iOS',
    about: 'Its page in the App Store.',
    placeholder: 'https://apps.apple.com/app/id…',
  },
  {
    field: 'android',
    path: 'platforms.android',
    label: 'Without the app on Android',
    about: 'Its page in the Play Store. {click_token} becomes the token of the click.',
    placeholder: 'https://play.google.com/store/apps/details?id=…&referrer=click_token%3D{click_token}',
  },
  {
    field: 'web',
    path: 'platforms.web',
    label: 'On a computer',
    about: 'A page about the app.',
    placeholder: 'https://shop.example/app',
  },
  {
    field: 'destination',
    path: 'destination',
    label: 'Everywhere else',
    about: 'The page to go to when there is no other.',
    placeholder: 'https://shop.example',
  },
];

const PATHS = ['name', 'allowedHosts', ...LINKS.map(({ path }) => path)];

/** The settings of a tracker. */
export function TrackerForm(props: {
  start: Form;
  saveLabel: string;
  error: Error | null;
  isSaving: boolean;
  onSave: (body: NewTrackerRequest) => void;
}): ReactNode {
  const { start, saveLabel, error, isSaving, onSave } = props;
  const [form, setForm] = useState(start);
  const [isTried, setTried] = useState(false);
  const nameProblem = isTried && form.name.trim() === '' ? 'Give it a name' : undefined;
  const isGood = form.name.trim() !== '' && LINKS.every(({ field }) => linkProblem(form[field]) === undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isGood) onSave(trackerBody(form));
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Where the link is handed out, for example."
          maxLength={limits.name.maxLength}
          withAsterisk
          value={form.name}
          error={nameProblem ?? problemAt(error, 'name')}
          onChange={({ currentTarget }) => setForm({ ...form, name: currentTarget.value })}
        />
        <Links form={form} error={error} onChange={setForm} />
        <ErrorNotice error={error} title="The tracker was not saved" shownPaths={PATHS} />
        <Group justify="flex-end">
          <Button type="submit" loading={isSaving}>
            {saveLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function hostProblem(error: Error | null): string | undefined {
  const places = Array.from({ length: limits.allowedHosts.maxItems }, (_, index) => `allowedHosts[${index}]`);
  return ['allowedHosts', ...places].map((path) => problemAt(error, path)).find((problem) => problem !== undefined);
}

function Links({
  form,
  error,
  onChange,
}: {
  form: Form;
  error: Error | null;
  onChange: (form: Form) => void;
}): ReactNode {
  return (
    <>
      {LINKS.map(({ field, path, label, about, placeholder }) => (
        <TextInput
          key={field}
          label={label}
          description={about}
          placeholder={placeholder}
          maxLength={limits.deepLink.maxLength}
          value={form[field]}
          error={linkProblem(form[field]) ?? problemAt(error, path)}
          onChange={({ currentTarget }) => onChange({ ...form, [field]: currentTarget.value })}
        />
      ))}
      <TagsInput
        label="Hosts that links may name"
        description="Where “redirect” and web links may lead beside the addresses above, so that nobody leads people astray with your link."
        placeholder={form.allowedHosts.length === 0 ? 'shop.example, *.shop.example' : ''}
        splitChars={[',', ' ', '\n']}
        maxTags={limits.allowedHosts.maxItems}
        value={form.allowedHosts}
        error={hostProblem(error)}
        onChange={(allowedHosts) => onChange({ ...form, allowedHosts })}
      />
    </>
  );
}
