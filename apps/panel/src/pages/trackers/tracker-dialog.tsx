import { TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { answerOf, keyOf, useApi, useAppId } from '../../api/client';
import type { TrackerResponse } from '@postrider/server/document';
import { NewTrackerRequest } from '../../api/generated/limits';
import { Dialog, DialogForm } from '../../components/dialog';
import { type Problems, useForm } from '../../components/use-form';
import { linkProblem } from '../../model/message-problems';
import { changedMeanwhile, settingsOf, trackerBody, trackerChanges, type TrackerSettings } from '../../model/tracker';

/** The places that a tracker leads to, in the order in which they are tried. */
export const DESTINATIONS = [
  {
    field: 'deepLink',
    label: 'Screen of the app',
    about: 'Opened when the app is installed, unless a link names another screen.',
    placeholder: 'shop://orders/8841',
  },
  {
    field: 'platforms.ios',
    label: 'Without the app on iOS',
    about: 'The page of the app in the App Store.',
    placeholder: 'https://apps.apple.com/app/id…',
  },
  {
    field: 'platforms.android',
    label: 'Without the app on Android',
    about: 'The page of the app in the Play Store. {click_token} becomes the token of the click.',
    placeholder: 'https://play.google.com/store/apps/details?id=…&referrer=click_token%3D{click_token}',
  },
  {
    field: 'platforms.web',
    label: 'On a computer',
    about: 'A page about the app.',
    placeholder: 'https://shop.example/app',
  },
  {
    field: 'destination',
    label: 'Everywhere else',
    about: 'Used when no other page is set.',
    placeholder: 'https://shop.example',
  },
] as const satisfies readonly { field: keyof TrackerSettings; label: string; about: string; placeholder: string }[];

/** Which tracker is changed, and what follows. */
interface TrackerDialogProps {
  isOpen: boolean;
  /** Left out for a new one. */
  tracker?: TrackerResponse;
  onClose: () => void;
  onSaved?: (tracker: TrackerResponse) => void;
}

/** Creates a tracker, or changes the settings of one. */
export function TrackerDialog(props: TrackerDialogProps): ReactNode {
  const title = props.tracker === undefined ? 'New tracker' : 'Change the tracker';
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} size="lg" title={title}>
      <TrackerForm {...props} />
    </Dialog>
  );
}

/** Says at each field what another person has saved there. */
function overtakenBy(theirs: Partial<TrackerSettings>): ApiError {
  const details = Object.entries(theirs).map(([path, value]) => ({
    path,
    message: `Somebody else has saved “${String(value)}” here meanwhile. Save again to replace it`,
  }));
  return new ApiError('Somebody else has changed this tracker', 409, 'EDIT_CONFLICT', details);
}

function TrackerForm({ tracker, onClose, onSaved }: TrackerDialogProps): ReactNode {
  const api = useApi();
  const appId = useAppId();
  // The page may read the tracker again meanwhile: a change is one of the tracker as it was when the dialog opened.
  const [base, setBase] = useState(() => settingsOf(tracker));
  const form = useForm<TrackerSettings, TrackerResponse>({
    initial: base,
    check: problemsOf,
    save: async (settings) => {
      if (tracker === undefined) return answerOf(api.POST('/api/trackers', { body: trackerBody(settings) }));
      const params = { path: { id: tracker.id } };
      const newest = await answerOf(api.GET('/api/trackers/{id}', { params }));
      const theirs = changedMeanwhile(base, settings, newest);
      if (Object.keys(theirs).length > 0) {
        // Whoever saves again has read it.
        setBase({ ...base, ...theirs });
        throw overtakenBy(theirs);
      }
      const body = trackerChanges(base, settings, newest);
      return answerOf(api.PATCH('/api/trackers/{id}', { params, body }));
    },
    said: 'The tracker is saved',
    changes: [keyOf(appId, '/api/trackers'), keyOf(appId, '/api/trackers/{id}')],
    onDone: (saved) => {
      onClose();
      onSaved?.(saved);
    },
  });
  return (
    <DialogForm
      form={form}
      submitLabel={tracker === undefined ? 'Create tracker' : 'Save'}
      errorTitle="The tracker was not saved"
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        description="For example, where you publish the link."
        maxLength={NewTrackerRequest.name.maxLength}
        {...form.text('name')}
        withAsterisk
        data-autofocus
      />
      {DESTINATIONS.map(({ field, label, about, placeholder }) => (
        <TextInput
          key={field}
          label={label}
          description={about}
          placeholder={placeholder}
          maxLength={NewTrackerRequest.deepLink.maxLength}
          {...form.text(field)}
          error={linkProblem(form.values[field]) ?? form.problemOf(field)}
        />
      ))}
      <TagsInput
        label="Hosts that links may name"
        description="A link may name a page of its own. It is followed only to these hosts and to the hosts above."
        placeholder={form.values.allowedHosts.length === 0 ? 'shop.example, *.shop.example' : ''}
        splitChars={[',', ' ', '\n']}
        maxTags={NewTrackerRequest.allowedHosts.maxItems}
        value={form.values.allowedHosts}
        error={form.problemOf('allowedHosts')}
        onChange={(allowedHosts) => form.change({ allowedHosts })}
      />
    </DialogForm>
  );
}

function problemsOf(settings: TrackerSettings): Problems {
  const found: Record<string, string> = settings.name.trim() === '' ? { name: 'Enter a name' } : {};
  for (const { field } of DESTINATIONS) {
    const problem = linkProblem(settings[field]);
    if (problem !== undefined) found[field] = problem;
  }
  return found;
}
