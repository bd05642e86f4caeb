import { type ReactNode, useMemo } from 'react';
import type { RuleEffectResponse } from '../../../api/generated/document';
import { type GroupDraft, replaceMember } from '../../../model/segment-draft';
import { keyOfPath, type WrittenSegment } from '../../../model/write-segment';
import { BuilderContext, type Builder, isBegun } from './builder-context';
import { GroupEditor } from './group-editor';

/** Everything a segment can say, as rows of choices: rules, and groups inside groups. */
export function SegmentBuilder(props: {
  segment: GroupDraft;
  written: WrittenSegment;
  /** Whether what is unfinished is marked, also where nothing was typed yet. */
  marksAll?: boolean;
  effects?: readonly RuleEffectResponse[];
  onChange: (segment: GroupDraft) => void;
}): ReactNode {
  const { segment, written, marksAll = false, effects, onChange } = props;
  const builder = useMemo<Builder>(() => {
    const effectByKey = new Map(effects?.map((effect) => [keyOfPath(written.keys, effect.path), effect]));
    return {
      change: (key, member) => onChange(replaceMember(segment, key, member)),
      remove: (key) => onChange(replaceMember(segment, key, null)),
      problemOf: (member) => {
        const isEmptyRoot = member.key === segment.key && segment.members.length === 0;
        const isTime = marksAll || member.kind === 'group' || isBegun(member);
        return isTime && !isEmptyRoot ? written.problems.get(member.key) : undefined;
      },
      effectOf: (key) => effectByKey.get(key),
    };
  }, [segment, written, marksAll, effects, onChange]);
  return (
    <BuilderContext value={builder}>
      <GroupEditor group={segment} place="" depth={1} />
    </BuilderContext>
  );
}
