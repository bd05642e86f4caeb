import { Alert, Button, Radio, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ADMIN, answerOf, keyOf, useAdminApi } from '../../api/client';
import type { ApplicationResponse, IdentityKeyResponse } from '@postrider/server/document';
import { DialogForm } from '../../components/dialog';
import { formatMoment } from '../../components/format';
import { IconInfoCircle } from '../../components/icons';
import { Moment } from '../../components/moment';
import { SecretDialog } from '../../components/secret-dialog';
import { SectionCard } from '../../components/section-card';
import { useForm } from '../../components/use-form';
import classes from './settings.module.css';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** How long the former key may stay valid, in seconds. */
const CHOICES: readonly { seconds: number; label: string; description?: string }[] = [
  { seconds: 30 * DAY, label: 'For 30 days' },
  { seconds: 7 * DAY, label: 'For 7 days' },
  { seconds: DAY, label: 'For a day' },
  { seconds: HOUR, label: 'For an hour' },
  { seconds: 0, label: 'No longer', description: 'If somebody else knows the key' },
];

/** The key with which the backend signs user ids: until when the former one is valid, and how to replace it. */
export function IdentityKeyCard({ application }: { application: ApplicationResponse }): ReactNode {
  const [isRotating, setRotating] = useState(false);
  const { id, requireUserHash, formerIdentityKeyValidUntil: until } = application;
  return (
    <SectionCard title="Identity key">
      <div className={classes.row}>
        <Text size="sm" c="dimmed" maw="36rem">
          Your backend signs user ids with it, and devices prove their user with the signature.
          {until !== null && (
            <>
              {' The former key is valid until '}
              <Moment at={until} isAbsolute />.
            </>
          )}
        </Text>
        <Button variant="default" onClick={() => setRotating(true)}>
          Replace the key
        </Button>
      </div>
      <SecretDialog<IdentityKeyResponse>
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        title="Replace the identity key?"
        madeTitle="Save this key now. It is shown once"
        size="lg"
        about="Give it to your backend. Every server checks user ids with it within four seconds."
        secrets={({ identityKey, formerValidUntil }) => [
          { label: 'Identity key', value: identityKey, hint: sayFormer(formerValidUntil) },
        ]}
        savedLabel="I have saved it"
        form={(onMade) => (
          <RotationForm id={id} isRequired={requireUserHash} onMade={onMade} onClose={() => setRotating(false)} />
        )}
      />
    </SectionCard>
  );
}

function sayFormer(until: string | null): string {
  return until === null
    ? 'The former key is no longer valid.'
    : `The former key is valid until ${formatMoment(until)}.`;
}

function RotationForm(props: {
  id: string;
  /** True if a device needs a valid signature. */
  isRequired: boolean;
  onMade: (made: IdentityKeyResponse) => void;
  onClose: () => void;
}): ReactNode {
  const { id, isRequired, onMade, onClose } = props;
  const api = useAdminApi();
  const params = { path: { id } };
  const form = useForm<{ formerValidSeconds: number }, IdentityKeyResponse>({
    initial: { formerValidSeconds: DAY },
    save: (body) => answerOf(api.POST('/api/admin/apps/{id}/rotate-identity-key', { params, body })),
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params), keyOf(ADMIN, '/api/admin/apps')],
    onDone: onMade,
  });
  return (
    <DialogForm form={form} submitLabel="Make a new key" onCancel={onClose}>
      <Alert color="yellow" variant="light" icon={<IconInfoCircle aria-hidden />}>
        When the former key is no longer valid, devices need a signature with the new one to prove their user
        {isRequired ? '. Without it they cannot register, nor read their inbox. ' : '. '}
        Devices that have proved their user already keep getting messages. Keys that you replaced earlier stop being
        valid now.
      </Alert>
      <Radio.Group
        label="The present key stays valid"
        value={String(form.values.formerValidSeconds)}
        onChange={(seconds) => form.change({ formerValidSeconds: Number(seconds) })}
        error={form.problemOf('formerValidSeconds')}
      >
        <Stack gap={8} mt={6}>
          {CHOICES.map(({ seconds, label, description }) => (
            <Radio key={seconds} value={String(seconds)} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
