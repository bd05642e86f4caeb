import { Button, FileButton, Modal, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiError, asApiError } from '../../api/api-error';
import { useAdminApi, useAppId } from '../../api/application';
import { ADMIN, keyOf } from '../../api/client';
import type { VendorCredentials, VendorResponse } from '../../api/generated/document';
import { ErrorNotice } from '../../components/error-notice';
import { FormButtons } from '../../components/form-buttons';
import { IconUpload } from '../../components/icons';
import { useSave } from './use-save';
import { bodyOf, fieldsIn, initialValues, shownFields, type VendorField, type VendorPlan } from './vendor-fields';

/** Stores a vendor's credentials. Secrets are never shown again: a change asks for them anew. */
export function VendorForm(props: {
  plan: VendorPlan;
  stored: VendorResponse | undefined;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
}): ReactNode {
  const { plan, stored, isOpen, onClose } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} size="lg" title={`${stored ? 'Change' : 'Connect'} ${plan.name}`}>
      {isOpen && <Form {...props} />}
    </Modal>
  );
}

function Form(props: {
  plan: VendorPlan;
  stored: VendorResponse | undefined;
  onClose: () => void;
  onSaved: () => void;
}): ReactNode {
  const { plan, stored, onClose, onSaved } = props;
  const api = useAdminApi();
  const appId = useAppId();
  const [values, setValues] = useState(() => initialValues(plan, stored));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const saving = useSave<VendorCredentials>({
    save: (body) =>
      api.PUT('/api/admin/apps/{id}/vendors/{vendor}', {
        params: { path: { id: appId, vendor: plan.vendor } },
        body,
      }),
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
  const fields = shownFields(plan, values);
  const submit = (): void => {
    const read = bodyOf(plan, values);
    setProblems('problems' in read ? read.problems : {});
    if ('body' in read) saving.mutate(read.body);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {plan.where}
        </Text>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={problems[field.name] ?? problemBelow(saving.error, field.name)}
            onChange={(value) => setValues({ ...values, ...filledBy(plan, field, value) })}
          />
        ))}
        <ErrorNotice error={saving.error} shownPaths={pathsOf(saving.error, fields)} />
        <FormButtons submitLabel="Store and check" isBusy={saving.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

interface FieldProps {
  field: VendorField;
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

function wordsOf({ field, error }: FieldProps): {
  label: string;
  description: string | undefined;
  error: string | undefined;
  required: boolean;
  autoComplete: string;
} {
  const { label, description, isOptional = false } = field;
  return { label, description, error, required: !isOptional, autoComplete: 'off' };
}

/** A long text, pasted or read from a file. */
function FileField(props: FieldProps): ReactNode {
  const { field, value, onChange } = props;
  return (
    <Stack gap={6}>
      <Textarea
        {...wordsOf(props)}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
      />
      {field.accept !== undefined && (
        <FileButton accept={field.accept} onChange={(file) => void file?.text().then(onChange)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              size="xs"
              w="fit-content"
              leftSection={<IconUpload size={14} aria-hidden />}
            >
              Choose the file
            </Button>
          )}
        </FileButton>
      )}
    </Stack>
  );
}

/** What a field changes: itself, or every field that a chosen file holds. */
function filledBy(plan: VendorPlan, { name, accept }: VendorField, value: string): Record<string, string> {
  return (accept === undefined ? null : fieldsIn(plan, value)) ?? { [name]: value };
}

/** What the gateway says of a field, or of something inside it (`serviceAccount.private_key`). */
function problemBelow(error: unknown, name: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.details.filter(({ path }) => path === name || path.startsWith(`${name}.`));
  if (found.length === 0) return undefined;
  return found
    .map(({ path, message }) => (path === name ? message : `${path.slice(name.length + 1)} ${message}`))
    .join('; ');
}

function pathsOf(error: unknown, fields: readonly VendorField[]): string[] {
  if (error === null) return [];
  return asApiError(error)
    .details.map(({ path }) => path)
    .filter((path) => fields.some(({ name }) => path === name || path.startsWith(`${name}.`)));
}
