import {
  Button,
  FileButton,
  Group,
  Modal,
  PasswordInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { VendorResponse } from '@postrider/contracts';
import { type ReactNode, useState } from 'react';
import { ApiError, asApiError } from '../../api/api-error';
import { useAdminApi, useAppId } from '../../api/application';
import { ErrorNotice } from '../../components/error-notice';
import { IconUpload } from '../../components/icons';
import { useSave } from './use-save';
import { bodyOf, initialValues, shownFields, type VendorField, type VendorPlan } from './vendor-fields';

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
  const saving = useSave<Record<string, unknown>>({
    save: (body) => api.put(`apps/${appId}/vendors/${plan.vendor}`, body),
    said: `The credentials of ${plan.name} are stored`,
    changes: [
      ['admin', `apps/${appId}/vendors`],
      ['admin', `apps/${appId}/vendors/health`],
      [appId, 'push/overview'],
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
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <ErrorNotice error={saving.error} shownPaths={pathsOf(saving.error, fields)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Store and check
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Field(props: {
  field: VendorField;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}): ReactNode {
  const { field, value, error, onChange } = props;
  const { kind, label, description, isOptional = false, accept, choices } = field;
  const common = { label, description, error, required: !isOptional, autoComplete: 'off' };
  if (kind === 'choice') {
    return (
      <Select
        {...common}
        data={[...(choices ?? [])]}
        value={value}
        onChange={(chosen) => onChange(chosen ?? '')}
        allowDeselect={false}
      />
    );
  }
  if (kind === 'secret') {
    return (
      <PasswordInput
        {...common}
        autoComplete="new-password"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  if (kind === 'text') {
    return <TextInput {...common} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
  }
  return (
    <Stack gap={6}>
      <Textarea
        {...common}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
      />
      {accept !== undefined && (
        <FileButton accept={accept} onChange={(file) => void file?.text().then(onChange)}>
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
