import { act, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { newMessage } from '../../model/message-draft';
import { composeOf } from '../../testing/compose';
import { type Compose, ComposeContext, useCompose } from './compose-context';
import { ComposePart } from './compose-part';

/** How often each part was drawn. */
let drawn: Record<string, number>;
/** What the handler of a part, which was made when it was drawn, finds when it runs. */
let found: () => string;

function note(part: string): void {
  drawn[part] = (drawn[part] ?? 0) + 1;
}

function Title(): ReactNode {
  const { draft, problemAt } = useCompose();
  note('title');
  found = () => draft.content;
  return <p>{`title ${draft.title}, ${problemAt('title') ?? 'fine'}`}</p>;
}

function Problems(): ReactNode {
  const { problems, isMarked } = useCompose();
  note('problems');
  return <p>{`problems ${Object.keys(problems).join()} ${isMarked('action.')}`}</p>;
}

function Whole(): ReactNode {
  const { draft } = useCompose();
  note('whole');
  return <p>{`whole ${{ ...draft }.content} ${'title' in draft}`}</p>;
}

/** A part that reads something else after a click. */
let turn: () => void;
function Turning(): ReactNode {
  const { draft, language } = useCompose();
  const [isTurned, setTurned] = useState(false);
  turn = () => setTurned(true);
  note('turning');
  return <p>{`turning ${isTurned ? draft.content : language}`}</p>;
}

describe('a part of the compose page', () => {
  let change: (changes: Partial<Compose>) => void;

  beforeEach(() => {
    drawn = {};
    let compose = composeOf(newMessage('d'));
    const page = (): ReactNode => (
      <ComposeContext value={compose}>
        <ComposePart of={Title} />
        <ComposePart of={Problems} />
        <ComposePart of={Whole} />
        <ComposePart of={Turning} />
      </ComposeContext>
    );
    const { rerender } = render(page());
    change = (changes) => {
      compose = { ...compose, ...changes };
      rerender(page());
    };
    drawn = {};
  });

  const withDraft = (changes: Partial<Compose['draft']>): void => change({ draft: { ...newMessage('d'), ...changes } });

  it('is drawn anew when a field changes that it has read, and not for another field', () => {
    withDraft({ title: 'Tea' });
    expect(drawn).toEqual({ title: 1, whole: 1 });
    screen.getByText('title Tea, fine');
    withDraft({ title: 'Tea', content: 'Hello' });
    expect(drawn).toEqual({ title: 1, whole: 2 });
    screen.getByText('whole Hello true');
  });

  it('is drawn anew when a problem that it shows changes, and not when equal ones are found again', () => {
    change({ problems: { title: 'too long' }, problemAt: (field) => (field === 'title' ? 'too long' : undefined) });
    expect(drawn).toEqual({ title: 1, problems: 1 });
    screen.getByText('title , too long');
    change({ problems: { title: 'too long' }, problemAt: (field) => (field === 'title' ? 'too long' : 'other') });
    expect(drawn).toEqual({ title: 1, problems: 1 });
    change({ isMarked: (prefix) => prefix === 'action.' });
    expect(drawn).toEqual({ title: 1, problems: 2 });
    screen.getByText('problems title true');
  });

  it('finds the latest in a handler that was made before', () => {
    withDraft({ content: 'Hello' });
    expect(drawn).toEqual({ whole: 1 });
    expect(found()).toBe('Hello');
  });

  it('is drawn anew for what it began to read later', () => {
    withDraft({ content: 'one' });
    expect(drawn.turning).toBeUndefined();
    act(() => turn());
    screen.getByText('turning one');
    withDraft({ content: 'two' });
    screen.getByText('turning two');
    change({ language: 'fa' });
    expect(drawn.turning).toBe(3);
  });
});
