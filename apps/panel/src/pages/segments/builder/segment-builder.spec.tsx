import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { MAX_GROUP_DEPTH } from '@postrider/domain';
import { type ReactNode, useMemo, useState } from 'react';
import { type GroupDraft, newGroup } from '../../../model/segment-draft';
import { writeSegment } from '../../../model/write-segment';
import { FakeGateway } from '../../../testing/fake-gateway';
import { show } from '../../../testing/show';
import { SegmentBuilder } from './segment-builder';

/** The builder, and below it the segment as the API takes it; `null` while it is unfinished. */
function Page({ marksAll = false, start }: { marksAll?: boolean; start?: GroupDraft }): ReactNode {
  const [segment, setSegment] = useState(() => start ?? newGroup('all'));
  const written = useMemo(() => writeSegment(segment), [segment]);
  return (
    <>
      <SegmentBuilder segment={segment} written={written} marksAll={marksAll} onChange={setSegment} />

      <output aria-label="Written">{JSON.stringify(written.segment)}</output>
    </>
  );
}

const written = (): unknown => JSON.parse(screen.getByLabelText('Written').textContent ?? '');
const rulesOf = (): unknown => (written() as { all?: unknown }).all;

async function choose(user: UserEvent, field: string | RegExp, option: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: field }));
  await user.click(screen.getByRole('option', { name: option }));
}

async function addRule(user: UserEvent, field?: string): Promise<void> {
  await user.click(screen.getAllByRole('button', { name: 'Add a rule' }).at(-1)!);
  if (field !== undefined) await choose(user, 'Rule 1: field', field);
}

describe('the segment builder', () => {
  it('begins with one rule about a tag, which is finished once a tag is typed', async () => {
    const { user } = show(<Page />);
    await addRule(user);
    expect(written()).toBeNull();
    await user.type(screen.getByRole('combobox', { name: 'Rule 1: value' }), 'vip{Enter}gold{Enter}');
    expect(rulesOf()).toEqual([{ name: 'tags', operator: 'include', value: ['vip', 'gold'] }]);
  });

  it('gives the focus to a rule that is added, and to the first rule of a group', async () => {
    const { user } = show(<Page />);
    await addRule(user);
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Rule 1: field' }));
    // What is typed there replaces the name of the field.
    await user.keyboard('Number of{ArrowDown}{Enter}');
    expect(screen.getByRole('combobox', { name: 'Rule 1: field' })).toHaveProperty('value', 'Number of visits');
    await user.click(screen.getByRole('button', { name: 'Add a group' }));
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Rule 2.1: field' }));
  });

  it('offers tags, attributes and values that devices have, and reads an attribute as its values are', async () => {
    const gateway = new FakeGateway();
    const value = (one: string | number, devices: number): { value: string | number; devices: number } => ({
      ...{ value: one, devices },
    });
    gateway.answer('GET', '/api/segments/fields', {
      devices: 2_000,
      fields: [
        { name: 'tags', devices: 900, values: [value('vip', 600), value('gold', 300)] },
        { name: 'deviceType', devices: 2_000, values: [value('android', 1_500), value('tv', 500)] },
        { name: 'purchase.count', devices: 800, values: [value(3, 400), value(4, 400)] },
        { name: 'tags.plan', devices: 100, values: [value('pro', 100)] },
      ],
    });
    const { user } = show(<Page />, { gateway });
    await addRule(user);
    await user.click(screen.getByRole('combobox', { name: 'Rule 1: value' }));
    await user.click(await screen.findByRole('option', { name: 'gold' }));
    expect(rulesOf()).toEqual([{ name: 'tags', operator: 'include', value: ['gold'] }]);
    await choose(user, 'Rule 1: field', 'Device type');
    await choose(user, /^Rule 1: .* …$/, 'is');
    await choose(user, 'Rule 1: value', 'tv');
    expect(rulesOf()).toEqual([{ name: 'deviceType', operator: 'equal_to', value: 'tv' }]);
    await choose(user, 'Rule 1: field', 'Attribute…');
    await choose(user, 'Rule 1: attribute', 'purchase.count');
    await choose(user, 'Rule 1: value', '4');
    expect(rulesOf()).toEqual([{ name: 'purchase.count', operator: 'equal_to', value: 4 }]);
    await choose(user, 'Rule 1: field', 'Value of a tag…');
    await user.click(screen.getByRole('combobox', { name: 'Rule 1: tag' }));
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['plan', 'vip', 'gold']);
  });

  it('offers the operators that a field knows, in the words of that field', async () => {
    const { user } = show(<Page />);
    await addRule(user, 'App version');
    await user.click(screen.getByRole('combobox', { name: /^Rule 1: .* …$/ }));
    const operators = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(operators).toEqual(expect.arrayContaining(['is older than', 'is at least', 'is newer than']));
    expect(operators).not.toContain('is before');
    await user.click(screen.getByRole('option', { name: 'is newer than' }));
    await user.type(screen.getByRole('combobox', { name: 'Rule 1: value' }), '2.4');
    expect(rulesOf()).toEqual([{ name: 'clientVersion', operator: 'greater_than', value: '2.4' }]);
  });

  it('says at a rule what is wrong with its value, but nothing before anything was typed', async () => {
    const { user } = show(<Page />);
    await addRule(user, 'Number of visits');
    expect(screen.queryByText('It must be a number')).toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Rule 1: value' }), 'many');
    expect(screen.getByText('It must be a number')).toBeTruthy();
    await user.clear(screen.getByRole('textbox', { name: 'Rule 1: value' }));
    await user.type(screen.getByRole('textbox', { name: 'Rule 1: value' }), '10');
    expect(screen.queryByText('It must be a number')).toBeNull();
    expect(rulesOf()).toEqual([{ name: 'launchCount', operator: 'lesser_than', value: 10 }]);
  });

  it('marks every unfinished rule once it is time', async () => {
    const { user } = show(<Page marksAll />);
    await addRule(user, 'Number of visits');
    expect(screen.getByText('Enter a value')).toBeTruthy();
  });

  it('takes a moment as an age or as a date', async () => {
    const { user } = show(<Page />);
    await addRule(user, 'Last visit');
    await user.type(screen.getByRole('textbox', { name: 'Rule 1: value' }), '7 days');
    expect(rulesOf()).toEqual([{ name: 'launchTime', operator: 'before', value: '7d' }]);
    await choose(user, 'Rule 1: value, unit', 'hours ago');
    expect(rulesOf()).toEqual([{ name: 'launchTime', operator: 'before', value: '7h' }]);
    await choose(user, 'Rule 1: value, unit', 'a date');
    expect(written()).toBeNull();
    const date = screen.getByLabelText('Rule 1: value');
    await user.type(date, '2026-05-01T12:30');
    const at = `${new Date('2026-05-01T12:30').toISOString().slice(0, 19)}Z`;
    expect(rulesOf()).toEqual([{ name: 'launchTime', operator: 'before', value: at }]);
  });

  it('takes a place, whose pair may be pasted into one field', async () => {
    const { user } = show(<Page />);
    await addRule(user, 'Location');
    await user.click(screen.getByRole('textbox', { name: 'Rule 1: value: latitude' }));
    await user.paste('35.6892, 51.3890');
    expect(screen.getByRole('textbox', { name: 'Rule 1: value: longitude' })).toHaveProperty('value', '51.3890');
    const value = { lat: 35.6892, lng: 51.389, radius: 1_000 };
    expect(rulesOf()).toEqual([{ name: 'nearBy', operator: 'include', value }]);
    await user.clear(screen.getByRole('textbox', { name: 'Rule 1: value: latitude' }));
    await user.type(screen.getByRole('textbox', { name: 'Rule 1: value: latitude' }), '91');
    expect(screen.getByText('The latitude is a number from -90 to 90')).toBeTruthy();
  });

  it('reads an attribute as the type that is chosen, and drops an operator that the type does not know', async () => {
    const { user } = show(<Page />);
    await addRule(user, 'Attribute…');
    await user.type(screen.getByRole('combobox', { name: 'Rule 1: attribute' }), 'age');
    await choose(user, 'Rule 1: age …', 'is before');
    await choose(user, 'Rule 1: type of the value', 'as a number');
    await user.type(screen.getByRole('combobox', { name: 'Rule 1: value' }), '30');
    expect(rulesOf()).toEqual([{ name: 'age', operator: 'equal_to', value: 30 }]);
    await choose(user, 'Rule 1: type of the value', 'as true or false');
    expect(rulesOf()).toEqual([{ name: 'age', operator: 'equal_to', value: true }]);
  });

  it('puts groups into groups, says how their rules are combined, and takes one out with all that is in it', async () => {
    const { user } = show(<Page />);
    await addRule(user, 'Number of visits');
    await user.type(screen.getByRole('textbox', { name: 'Rule 1: value' }), '3');
    await user.click(screen.getByRole('button', { name: 'Add a group' }));
    const group = screen.getByRole('group', { name: 'Group 2' });
    await user.type(within(group).getByRole('combobox', { name: 'Rule 2.1: value' }), 'vip{Enter}');
    await choose(user, 'Group 2 matches', 'none of these');
    const visits = { name: 'launchCount', operator: 'lesser_than', value: 3 };
    expect(written()).toEqual({ all: [visits], none: [{ name: 'tags', operator: 'include', value: ['vip'] }] });
    await user.click(screen.getByRole('button', { name: 'Remove group 2' }));
    expect(rulesOf()).toEqual([visits]);
    await user.click(screen.getByRole('button', { name: 'Remove rule 1' }));
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });

  it('leaves the focus at the button that adds a rule where one was removed', async () => {
    const { user } = show(<Page />);
    await addRule(user);
    await user.click(screen.getByRole('button', { name: 'Add a group' }));
    for (const name of ['Remove rule 2.1', 'Remove group 2', 'Remove rule 1']) {
      const around = name === 'Remove rule 2.1' ? 'Group 2' : 'The segment';
      screen.getByRole('button', { name }).focus();
      await user.keyboard('{Enter}');
      const adds = within(screen.getByRole('group', { name: around })).getAllByRole('button', { name: 'Add a rule' });
      await waitFor(() => expect(document.activeElement).toBe(adds.at(-1)));
    }
  });

  it('offers no group deeper than the API takes', () => {
    const nest = (depth: number): GroupDraft => newGroup('all', depth === 1 ? [] : [nest(depth - 1)]);
    show(<Page start={nest(MAX_GROUP_DEPTH)} />);
    expect(screen.getAllByRole('button', { name: 'Add a group' })).toHaveLength(MAX_GROUP_DEPTH - 1);
    expect(screen.getAllByRole('button', { name: 'Add a rule' })).toHaveLength(MAX_GROUP_DEPTH);
  });
});
