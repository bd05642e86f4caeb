import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { SegmentResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { NewSegment, SavedSegment } from './segment-pages';

const AT = '2026-11-22T10:00:00.000Z';
const SEGMENT = '/api/segments/{id}';

const OURS = {
  id: 's-1',
  name: 'Apple',
  segment: { all: [{ name: 'deviceType', operator: 'equal_to' as const, value: 'ios' }] },
  revision: 1,
  createdAt: AT,
  updatedAt: AT,
  size: null,
};
const THEIRS = {
  ...OURS,
  name: 'Apple, not iPad',
  segment: { all: [...OURS.segment.all, { name: 'tags', operator: 'not_include' as const, value: 'ipad' }] },
  revision: 2,
};

describe('the page of a segment', () => {
  let gateway: FakeGateway;

  beforeEach(() => {
    sessionStorage.clear();
    gateway = new FakeGateway();
    store(OURS);
    gateway.answer('GET', `${SEGMENT}/sizes`, { id: 's-1', sizes: [] });
    gateway.answer('POST', '/api/segments/count', { count: 1, devices: 1, tookMs: 1 });
  });

  const store = (segment: SegmentResponse): void => {
    gateway.answer('GET', SEGMENT, segment);
    gateway.answer('GET', '/api/segments/fields', { devices: 1, fields: [] });
  };
  const nameField = (): Promise<HTMLElement> => screen.findByRole('textbox', { name: 'Name' });

  it('keeps what was written when the segment cannot be read again', async () => {
    const { user, readAgain } = show(<SavedSegment id="s-1" />, { gateway });
    await user.type(await nameField(), ' phones');
    gateway.refuse('GET', SEGMENT, 404, { message: 'There is no such segment' });
    await readAgain();
    expect(gateway.asked.filter(({ path }) => path.endsWith('/segments/s-1'))).toHaveLength(2);
    expect(await nameField()).toHaveProperty('value', 'Apple phones');
  });

  it('has what was written and not saved when the person comes back, until it is discarded', async () => {
    const { user } = show(<SavedSegment id="s-1" />, { gateway });
    await user.type(await nameField(), ' phones');
    cleanup();
    const again = show(<SavedSegment id="s-1" />, { gateway });
    expect(await nameField()).toHaveProperty('value', 'Apple phones');
    screen.getByText('You wrote this before you left the page. It is not saved.');
    await again.user.click(screen.getByRole('button', { name: 'Discard my changes' }));
    expect(await nameField()).toHaveProperty('value', 'Apple');
    cleanup();
    show(<SavedSegment id="s-1" />, { gateway });
    expect(await nameField()).toHaveProperty('value', 'Apple');
    expect(screen.queryByText(/^You wrote this/)).toBeNull();
  });

  it('that is new is saved once by a double click, and again after it was refused', async () => {
    gateway.refuse('POST', '/api/segments', 409, { message: 'There is a segment with this name' });
    const { user } = show(<NewSegment />, { gateway });
    await user.type(await nameField(), 'Apple');
    await user.click(screen.getByRole('button', { name: 'Add a rule' }));
    await user.type(screen.getByRole('combobox', { name: 'Rule 1: value' }), 'vip{Enter}');
    const save = screen.getByRole('button', { name: 'Save' });
    fireEvent.click(save);
    fireEvent.click(save);
    await screen.findByText(/There is a segment with this name/);
    expect(gateway.askedFor('POST', '/api/segments')).toHaveLength(1);
    fireEvent.click(save);
    await waitFor(() => expect(gateway.askedFor('POST', '/api/segments')).toHaveLength(2));
  });

  it('that is new has its rules again when the person comes back, and none once it was saved', async () => {
    gateway.answer('POST', '/api/segments', OURS);
    const { user } = show(<NewSegment />, { gateway });
    await user.type(await nameField(), 'Apple');
    await user.click(screen.getByRole('button', { name: 'Add a rule' }));
    await user.type(screen.getByRole('combobox', { name: 'Rule 1: value' }), 'vip{Enter}');
    cleanup();
    const again = show(<NewSegment />, { gateway });
    expect(await nameField()).toHaveProperty('value', 'Apple');
    expect(document.body.textContent).toContain('the user has the tag vip');
    await again.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(window.location.pathname).toBe('/segments/s-1'));
    cleanup();
    show(<NewSegment />, { gateway });
    expect(await nameField()).toHaveProperty('value', '');
  });

  it('says at the name that it is taken, and keeps what was written', async () => {
    const message = 'A segment with this name exists';
    gateway.refuse('PUT', SEGMENT, 409, { message, code: 'CONFLICT', details: [{ path: 'name', message }] });
    const { user } = show(<SavedSegment id="s-1" />, { gateway });
    await user.type(await nameField(), ' phones');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(message);
    expect(await nameField()).toHaveProperty('value', 'Apple phones');
    expect((await nameField()).getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(await nameField());
    expect(document.body.textContent).not.toContain('Reload the page');
  });

  it('that another person has deleted can be saved as a new one', async () => {
    gateway.refuse('PUT', SEGMENT, 404, { message: 'There is no such segment', code: 'NOT_FOUND' });
    gateway.answer('POST', '/api/segments', { ...OURS, id: 's-2', name: 'Apple phones' });
    const { user } = show(<SavedSegment id="s-1" />, { gateway });
    await user.type(await nameField(), ' phones');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Somebody else has deleted this segment');
    expect(await nameField()).toHaveProperty('value', 'Apple phones');

    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(window.location.pathname).toMatch(/\/segments\/s-2$/));
    expect(gateway.askedFor('POST', '/api/segments')[0]?.body).toEqual({ name: 'Apple phones', segment: OURS.segment });
  });

  it('leads from the name to the rule that is not finished', async () => {
    const { user } = show(<NewSegment />, { gateway });
    await user.click(screen.getByRole('button', { name: 'Add a rule' }));
    await user.type(await nameField(), 'Apple{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Rule 1: value' })));
    expect(gateway.askedFor('POST', '/api/segments')).toEqual([]);
  });

  it('leads to the name if there is none', async () => {
    const { user } = show(<SavedSegment id="s-1" />, { gateway });
    await user.clear(await nameField());
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Enter a name');
    await waitFor(async () => expect(document.activeElement).toBe(await nameField()));
  });

  describe('that another person saves meanwhile', () => {
    it('keeps what was written here, and lets the reader decide which of the two stays', async () => {
      gateway.answerWith('PUT', SEGMENT, ({ body }) => {
        if ((body as { revision: number }).revision === 2)
          return Response.json({ ...OURS, ...(body as object), revision: 3 });
        const error = { message: 'Changed since', code: 'EDIT_CONFLICT', current: THEIRS };
        return Response.json({ error }, { status: 409 });
      });
      const { user } = show(<SavedSegment id="s-1" />, { gateway });
      await user.type(await nameField(), ' phones');
      store(THEIRS);
      await user.click(screen.getByRole('button', { name: 'Save' }));
      const notice = await screen.findByRole('alert');
      expect(notice.textContent).toContain('Somebody else has changed this segment');
      expect(notice.textContent).toContain('Apple, not iPad');
      expect(await nameField()).toHaveProperty('value', 'Apple phones');

      await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
      store({ ...OURS, name: 'Apple phones', revision: 3 });
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await screen.findByRole('heading', { name: 'Apple phones' });
      expect(screen.queryByRole('alert')).toBeNull();
      expect(gateway.askedFor('PUT', SEGMENT).map(({ body }) => (body as { revision: number }).revision)).toEqual([
        1, 2,
      ]);
    });

    it('is shown as they saved it where nothing was written, or what was written is discarded', async () => {
      const { user, readAgain } = show(<SavedSegment id="s-1" />, { gateway });
      await nameField();
      store(THEIRS);
      await readAgain();
      await waitFor(async () => expect(await nameField()).toHaveProperty('value', 'Apple, not iPad'));

      await user.type(await nameField(), '!');
      store({ ...OURS, name: 'Apple again', revision: 3 });
      await readAgain();
      await user.click(await screen.findByRole('button', { name: 'Discard my changes' }));
      expect(await nameField()).toHaveProperty('value', 'Apple again');
    });
  });
});
