import { PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useAdminApi, useAppId, ADMIN, answerOf, keyOf } from '../../api/client';
import type { VendorResponse } from '@postrider/server/document';
import { Dialog, DialogForm } from '../../components/dialog';
import { FileChoice, UNREAD_FILE } from '../../components/file-choice';
import { IconUpload } from '../../components/icons';
import { useForm } from '../../components/use-form';
import { fieldsIn, initialValues, readFields, shownFields, type VendorField, type VendorPlan } from './vendor-fields';

/** A vendor's credentials, and what follows when they are stored. */
interface VendorFormProps {
  plan: VendorPlan;
  stored: VendorResponse | undefined;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
}

/** Stores a vendor's credentials. Secrets are never shown again: a change asks for them again. */
export function VendorForm(props: VendorFormProps): ReactNode {
  const { plan, stored, isOpen, onClose } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} size="lg" title={`${stored ? 'Change' : 'Connect'} ${plan.name}`}>
      <Credentials {...props} />
    </Dialog>
  );
}

function Credentials({ plan, stored, onClose, onSaved }: VendorFormProps): ReactNode {
  const api = useAdminApi();
  const appId = useAppId();
  const params = { path: { id: appId, vendor: plan.vendor } };
  // The credentials that these take the place of: those that the person saw, and later those that they were told of.
  const [replaced, setReplaced] = useState(stored?.updatedAt);
  const form = useForm<Record<string, string>>({
    initial: () => initialValues(plan, stored),
    check: (values) => readFields(plan, values).problems,
    fields: (values) => shownFields(plan, values).map(({ name }) => name),
    save: async (values) => {
      const listed = await answerOf(api.GET('/api/admin/apps/{id}/vendors', { params: { path: { id: appId } } }));
      const newest = listed.find(({ vendor }) => vendor === plan.vendor);
      if (newest?.updatedAt !== replaced) {
        setReplaced(newest?.updatedAt);
        throw overtakenBy(newest);
      }
      return api.PUT('/api/admin/apps/{id}/vendors/{vendor}', { params, body: readFields(plan, values).body });
    },
    said: `The credentials of ${plan.name} are stored`,
    changes: [
      keyOf(ADMIN, '/api/admin/apps/{id}/vendors'),
      keyOf(ADMIN, '/api/admin/apps/{id}/vendors/health'),
      keyOf(appId, '/api/push/overview'),
    ],
    onDone: () => {
      onClose();
      onSaved();
    },
  });
  return (
    <DialogForm
      form={form}
      submitLabel="Store and check"
      errorTitle="The credentials were not stored"
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {plan.where}
      </Text>
      {shownFields(plan, form.values).map((field, place) => (
        <Field
          key={field.name}
          field={field}
          isFirst={place === 0}
          value={form.values[field.name] ?? ''}
          error={form.problemOf(field.name)}
          onChange={(value) => form.change(filledBy(plan, field, value))}
        />
      ))}
    </DialogForm>
  );
}

/** Says what somebody else did with the credentials meanwhile. */
function overtakenBy(newest: VendorResponse | undefined): ApiError {
  const said =
    newest === undefined
      ? 'Somebody else has disconnected it meanwhile. It is connected if you store the credentials now'
      : 'Somebody else has stored other credentials meanwhile. Yours replace them if you store them now';
  return new ApiError(said, 409, 'EDIT_CONFLICT');
}

interface FieldProps {
  field: VendorField;
  /** The first field of the dialog has the focus when it opens. */
  isFirst: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function Field(props: FieldProps): ReactNode {
  const { field, value, onChange } = props;
  const common = wordsOf(props);
  switch (field.kind) {
    case 'choice':
      return (
        <Select
          {...common}
          data={[...(field.choices ?? [])]}
          value={value}
          onChange={(chosen) => onChange(chosen ?? '')}
          allowDeselect={false}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...common}
          aria-invalid={common.error !== undefined || undefined}
          autoComplete="new-password"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'text':
      return <TextInput {...common} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
    default:
      return <FileField {...props} />;
  }
}

function wordsOf({ field, error, isFirst }: FieldProps): {
  label: string;
  description: string | undefined;
  error: string | undefined;
  required: boolean;
  autoComplete: string;
  'data-autofocus': true | undefined;
} {
  const { label, description, isOptional = false } = field;
  const words = { label, description, error, required: !isOptional, autoComplete: 'off' };
  return { ...words, 'data-autofocus': isFirst || undefined };
}

/** A long text, pasted or read from a file. */
function FileField(props: FieldProps): ReactNode {
  const { field, value, onChange } = props;
  const [isUnread, setUnread] = useState(false);
  const write = (text: string): void => {
    setUnread(false);
    onChange(text);
  };
  return (
    <Stack gap={6}>
      <Textarea
        {...wordsOf(isUnread ? { ...props, error: UNREAD_FILE } : props)}
        value={value}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
      />
      {field.accept !== undefined && (
        <FileChoice
          accept={field.accept}
          onChoose={(file) => void file.text().then(write, () => setUnread(true))}
          size="xs"
          w="fit-content"
          leftSection={<IconUpload size={14} aria-hidden />}
        >
          Choose the file
        </FileChoice>
      )}
    </Stack>
  );
}

/** Returns the changes of a field: itself, or every field that a chosen file holds. */
function filledBy(plan: VendorPlan, { name, accept }: VendorField, value: string): Record<string, string> {
  return (accept === undefined ? null : fieldsIn(plan, value)) ?? { [name]: value };
}
