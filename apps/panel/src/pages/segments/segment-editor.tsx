import { Button, Grid, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { isEditConflict, problemAt } from '../../api/api-error';
import { useOneAtATime } from '../../api/use-one-at-a-time';
import type { SegmentRequest, SegmentResponse } from '@postrider/server/document';
import { SegmentRequest as limits } from '../../api/generated/limits';
import { useCan } from '../../api/session';
import { ErrorNotice } from '../../components/error-notice';
import { focusFirstProblem, submitAndFocus } from '../../components/keep-focus';
import { Moment } from '../../components/moment';
import { type NewerChoice, NewerNotice } from '../../components/newer-notice';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { readRules } from '../../model/read-segment';
import type { GroupDraft } from '../../model/segment-draft';
import { saySegment } from '../../model/say-segment';
import { writeFinished, writeSegment, type WrittenSegment } from '../../model/write-segment';
import { AudienceSize, type AskedGroup, useGroupExplanation } from './audience-size';
import { SegmentBuilder } from './builder/segment-builder';
import { ExplainUser } from './explain-user';

/** A segment as it is being written. */
export interface WrittenForm {
  name: string;
  segment: GroupDraft;
}

/** The form that the editor saves. */
export type SavedForm = SegmentRequest;

/** The state of saving; the same for a new segment and a changed one. */
export type SavingSegment = UseMutationResult<SegmentResponse, Error, SavedForm>;

/** A segment that another person has saved while it is changed here, and what the reader may do. */
interface NewerSegment extends NewerChoice {
  segment: SegmentResponse;
}

/** A segment being written: its rules, its size, what each rule does, and why a user is in it or not. */
export function SegmentEditor(props: {
  name: string;
  segment: GroupDraft;
  /** What was written before the page was left and is not saved. */
  written: WrittenForm | null;
  saving: SavingSegment;
  /** What another person has saved in the meantime. */
  newer?: NewerSegment | null;
  /** Told what is written that is not saved; null: nothing. */
  onWritten: (form: WrittenForm | null) => void;
}): ReactNode {
  const { saving, newer = null, onWritten } = props;
  const [saved, setSaved] = useState({ name: props.name, segment: props.segment });
  const [segment, setSegment] = useState(props.written?.segment ?? saved.segment);
  const [marksAll, setMarksAll] = useState(false);
  const rules = useRef<HTMLDivElement>(null);
  const send = useOneAtATime((form: SavedForm) =>
    saving.mutateAsync(form, { onSuccess: () => setSaved({ name: form.name, segment }) }),
  );
  const written = useMemo(() => writeSegment(segment), [segment]);
  const finished = useMemo(() => writeFinished(segment, written), [segment, written]);
  const group = useMemo(() => groupOf(written), [written]);
  const counted = useMemo(() => groupOf(finished), [finished]);
  const save = (name: string): void => {
    setMarksAll(true);
    if (written.segment === null) focusFirstProblem(rules.current);
    if (written.segment !== null && name !== '') send({ name, segment: written.segment });
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }} ref={rules}>
        <Rules segment={segment} written={written} group={group} marksAll={marksAll} onChange={setSegment}>
          <SaveForm
            saved={saved}
            name={props.written?.name ?? saved.name}
            segment={segment}
            saving={saving}
            newer={newer}
            onSave={save}
            onWritten={onWritten}
          />
        </Rules>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="lg">
          <SectionCard title="Size now">
            <AudienceSize
              group={counted}
              countsUsers
              leftOut={finished.leftOut}
              waiting="Finish a rule to see the number of devices."
            />
          </SectionCard>
          <SectionCard title="Ask about a user">
            <ExplainUser group={group} />
          </SectionCard>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function groupOf({ segment }: Pick<WrittenSegment, 'segment'>): AskedGroup | null {
  return segment === null ? null : { segment };
}

function Rules(props: {
  segment: GroupDraft;
  written: WrittenSegment;
  group: AskedGroup | null;
  marksAll: boolean;
  onChange: (segment: GroupDraft) => void;
  children: ReactNode;
}): ReactNode {
  const { segment, written, group, marksAll, onChange, children } = props;
  const [explains, setExplains] = useState(false);
  const explained = useGroupExplanation(group, { isOn: explains });
  return (
    <SectionCard
      title="Rules"
      actions={
        <Switch
          size="sm"
          label="What each rule does"
          checked={explains}
          onChange={({ currentTarget }) => setExplains(currentTarget.checked)}
        />
      }
    >
      <Stack gap="lg">
        <SegmentBuilder
          segment={segment}
          written={written}
          marksAll={marksAll}
          effects={explains ? explained.data?.rules : undefined}
          onChange={onChange}
        />
        {marksAll && segment.members.length === 0 && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            Add at least one rule
          </Text>
        )}
        {segment.members.length > 0 && (
          <Text size="sm" c="dimmed">
            In words: <Typed text={saySegment(segment)} lines={6} />
          </Text>
        )}
        {children}
      </Stack>
    </SectionCard>
  );
}

function SaveForm(props: {
  saved: WrittenForm;
  /** The name that the field begins with. */
  name: string;
  segment: GroupDraft;
  saving: SavingSegment;
  newer: NewerSegment | null;
  onSave: (name: string) => void;
  onWritten: (form: WrittenForm | null) => void;
}): ReactNode {
  const { saved, segment, saving, newer, onSave, onWritten } = props;
  const [name, setName] = useState(props.name);
  const [isTried, setTried] = useState(false);
  const isChanged = segment !== saved.segment || name.trim() !== saved.name;
  useEffect(() => onWritten(isChanged ? { name, segment } : null), [onWritten, isChanged, name, segment]);
  const problem = isTried && name.trim() === '' ? 'Enter a name' : problemAt(saving.error, 'name');
  if (!useCan('send')) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submitAndFocus(event, () => {
          setTried(true);
          onSave(name.trim());
        });
      }}
    >
      <Stack gap="lg">
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Name"
            dir="auto"
            maxLength={limits.name.maxLength}
            flex="1 1 14rem"
            value={name}
            error={problem}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
            {isChanged || !saving.isSuccess ? 'Save' : 'Saved'}
          </Button>
        </Group>
        {newer !== null && !saving.isPending && <NewerSegmentNotice {...newer} />}
        <ErrorNotice
          error={newer !== null && isEditConflict(saving.error) ? null : saving.error}
          title="The segment was not saved"
          shownPaths={['name']}
        />
      </Stack>
    </form>
  );
}

function NewerSegmentNotice({ segment, ...choice }: NewerSegment): ReactNode {
  return (
    <NewerNotice title="Somebody else has changed this segment" {...choice}>
      It was saved <Moment at={segment.updatedAt} /> as <Typed text={segment.name} />, with these rules:{' '}
      <Typed text={saySegment(readRules(segment))} lines={6} /> What you changed since is here only. If you keep it and
      save it, it replaces theirs.
    </NewerNotice>
  );
}
