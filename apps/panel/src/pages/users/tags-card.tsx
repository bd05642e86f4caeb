import { ActionIcon, Button, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { problemAt } from '../../api/api-error';
import { useApi, useAppId, keyOf } from '../../api/client';
import type { UserResponse } from '@postrider/server/document';
import { ValueTagRequest as limits } from '../../api/generated/limits';
import { useCan } from '../../api/session';
import { ErrorNotice } from '../../components/error-notice';
import { IconX } from '../../components/icons';
import { keepFocus } from '../../components/keep-focus';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import classes from './users.module.css';

const MOST_SHOWN = 200;

/** A user's tags, with values or without: added and removed here, on all their devices. */
export function TagsCard({ user }: { user: UserResponse }): ReactNode {
  const { userId, tags, tagValues } = user;
  const editing = useTagEditing(userId);
  const mayEdit = useCan('tags');
  // The button that removed a tag is gone with it.
  useEffect(() => keepFocus, [tags.length]);
  return (
    <SectionCard title="Tags" description="Tags apply to all devices of this user, also to later ones.">
      <Stack gap="md">
        {tags.length === 0 && (
          <Text size="sm" c="dimmed">
            No tags yet.
          </Text>
        )}
        {tags.length > 0 && (
          <ul className={classes.tags}>
            {tags.slice(0, MOST_SHOWN).map((tag) => (
              <li key={tag} className={classes.tag}>
                <span>
                  <Typed text={tag} />
                  {Object.hasOwn(tagValues, tag) && (
                    <>
                      <span className={classes.equals}> = </span>
                      <Typed text={tagValues[tag] ?? ''} />
                    </>
                  )}
                </span>
                {mayEdit && (
                  <Tooltip label="Remove">
                    <ActionIcon
                      size={26}
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove the tag ${tag}`}
                      disabled={editing.isPending}
                      onClick={() => editing.mutate({ kind: 'remove', tag })}
                    >
                      <IconX size={14} aria-hidden />
                    </ActionIcon>
                  </Tooltip>
                )}
              </li>
            ))}
          </ul>
        )}
        {mayEdit && <AddTag editing={editing} />}
        <ErrorNotice error={editing.error} title="The tags were not changed" shownPaths={['tags[0]', 'tag', 'value']} />
      </Stack>
    </SectionCard>
  );
}

type TagEdit = { kind: 'remove'; tag: string } | { kind: 'add'; tag: string; value: string };

function useTagEditing(userId: string): ReturnType<typeof useMutation<unknown, Error, TagEdit>> {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  return useMutation<unknown, Error, TagEdit>({
    mutationFn: (edit) => {
      if (edit.kind === 'remove')
        return api.POST('/api/installations/removeTags', { body: { userId, tags: [edit.tag] } });
      if (edit.value === '') return api.POST('/api/installations/addTags', { body: { userId, tags: [edit.tag] } });
      return api.POST('/api/installations/addValueTag', { body: { userId, tag: edit.tag, value: edit.value } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(appId, '/api/users/{userId}', { path: { userId } }) }),
  });
}

function AddTag({ editing }: { editing: ReturnType<typeof useTagEditing> }): ReactNode {
  const [tag, setTag] = useState('');
  const [value, setValue] = useState('');
  const add = (): void =>
    editing.mutate(
      { kind: 'add', tag: tag.trim(), value: value.trim() },
      {
        onSuccess: () => {
          setTag('');
          setValue('');
        },
      },
    );
  return (
    <form
      className={classes.addTag}
      onSubmit={(event) => {
        event.preventDefault();
        if (tag.trim() !== '') add();
      }}
    >
      <TextInput
        label="Tag"
        maxLength={limits.tag.maxLength}
        value={tag}
        error={problemAt(editing.error, 'tags[0]') ?? problemAt(editing.error, 'tag')}
        onChange={({ currentTarget }) => setTag(currentTarget.value)}
      />
      <TextInput
        label="Value"
        placeholder="none"
        maxLength={limits.value.maxLength}
        value={value}
        error={problemAt(editing.error, 'value')}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={editing.isPending} disabled={tag.trim() === ''}>
        Add
      </Button>
    </form>
  );
}
