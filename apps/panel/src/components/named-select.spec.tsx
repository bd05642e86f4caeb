import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import type { SegmentResponse } from '@postrider/server/document';
import { newMessage } from '../model/message-draft';
import { ComposeContext } from '../pages/compose/compose-context';
import { SavedAudience } from '../pages/compose/saved-audience';
import { composeOf } from '../testing/compose';
import { FakeGateway } from '../testing/fake-gateway';
import { show, type Shown } from '../testing/show';

function segment(name: string): SegmentResponse {
  const at = '2026-05-01T10:00:00.000Z';
  return { id: `id of ${name}`, name, target: {}, revision: 1, createdAt: at, updatedAt: at, size: null };
}

/** A message that is being written, whose recipients are a saved segment. */
function Page({ segmentId }: { segmentId: string }): ReactNode {
  const [draft, setDraft] = useState(() => {
    const fresh = newMessage('draft-1');
    return { ...fresh, audience: { ...fresh.audience, kind: 'saved' as const, segmentId } };
  });
  const compose = composeOf(draft, { patch: (change: object) => setDraft((before) => ({ ...before, ...change })) });
  return (
    <ComposeContext value={compose}>
      <SavedAudience />
      <p aria-label="Taken">{draft.audience.segmentId}</p>
    </ComposeContext>
  );
}

/** The gateway lists `New`, as the newest of many, and finds `Old` by its name only. */
function showSegments(segmentId = ''): Shown {
  const gateway = new FakeGateway();
  gateway.answer('GET', '/api/segments', ({ query: { name } }) => ({
    segments: name === undefined ? [segment('New')] : [segment('Old')].filter((one) => one.name.includes(name)),
    nextCursor: name === undefined ? 'more' : null,
  }));
  gateway.answer('GET', '/api/segments/{id}', ({ path }) => segment(path.includes('Old') ? 'Old' : 'New'));
  gateway.answer('POST', '/api/segments/count', { count: 1, devices: 1, tookMs: 1 });
  return show(<Page segmentId={segmentId} />, { gateway });
}

const field = (): Promise<HTMLElement> => screen.findByRole('combobox', { name: 'Segment' });

describe('the choice among more things than a list offers', () => {
  it('finds an older one by a part of its name', async () => {
    const { user } = showSegments();
    await user.click(await field());
    await screen.findByRole('option', { name: 'New' });
    await user.type(await field(), 'Ol');
    await user.click(await screen.findByRole('option', { name: 'Old' }));
    expect(screen.getByLabelText('Taken').textContent).toBe('id of Old');
    await waitFor(async () => expect(await field()).toHaveProperty('value', 'Old'));
  });

  it('leads to a new one', async () => {
    showSegments();
    await field();
    expect(screen.getByRole('link', { name: 'Make a new segment' }).getAttribute('href')).toBe('/segments/new');
  });

  it('says that nothing has this name', async () => {
    const { user } = showSegments();
    await user.type(await field(), 'gold');
    expect(await screen.findByText('No segment has this in its name')).toBeTruthy();
  });

  it('shows the name of one that was chosen before and is not offered, and offers the others beside it', async () => {
    const { user } = showSegments('id of Old');
    await waitFor(async () => expect(await field()).toHaveProperty('value', 'Old'));
    await user.click(await field());
    await user.click(await screen.findByRole('option', { name: 'New' }));
    expect(screen.getByLabelText('Taken').textContent).toBe('id of New');
  });
});
