import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { TemplateResponse } from '@postrider/server/document';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { NewTemplate, SavedTemplate } from './template-page';

const AT = '2026-11-22T10:00:00.000Z';
const TEMPLATE = '/api/templates/{id}';

const sale: TemplateResponse = {
  ...{ id: 't-1', name: 'Sale', description: null, version: 1, createdAt: AT, updatedAt: AT, updatedBy: 'Grace' },
  message: { useAsAlert: true, content: '{{ percent }} % off' },
  variables: [{ name: 'percent', required: true }],
  warnings: [
    { path: 'message.content', message: 'reads percent, which never has a value' },
    { path: 'variables[0]', message: 'is read by no text' },
  ],
};

describe('the page of a template', () => {
  let gateway: FakeGateway;

  beforeEach(() => {
    sessionStorage.clear();
    gateway = new FakeGateway();
    gateway.answer('GET', TEMPLATE, sale);
    gateway.answer('GET', '/api/templates/{id}/versions', { versions: [], nextCursor: null });
  });

  it('has what was written and not saved when the person comes back, also beside a newer version', async () => {
    const { user } = show(<SavedTemplate id="t-1" />, { gateway });
    await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Today');
    cleanup();
    gateway.answer('GET', TEMPLATE, { ...sale, version: 2, name: 'Sale, shorter' });
    const again = show(<SavedTemplate id="t-1" />, { gateway });
    expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveProperty('value', 'Today');
    expect(screen.getByRole('alert').textContent).toContain('There is a newer version');
    await again.user.click(screen.getByRole('button', { name: 'Discard my changes' }));
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveProperty('value', '');
  });

  it('is created before it can have a new version', () => {
    show(<NewTemplate />, { gateway });
    screen.getByRole('button', { name: 'Create template' });
    expect(screen.queryByRole('button', { name: 'Save as a new version' })).toBeNull();
  });

  it('leads to the field that is wrong, though its button is far below', async () => {
    const { user } = show(<NewTemplate />, { gateway });
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'Half price');
    await user.click(screen.getByRole('button', { name: 'Create template' }));
    const name = screen.getByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(document.activeElement).toBe(name));
    expect(gateway.asked).toEqual([]);

    await user.type(name, 'Sale');
    await user.click(screen.getByRole('button', { name: 'Add a variable' }));
    gateway.refuse('POST', '/api/templates', 400, {
      message: 'The request is not valid',
      details: [{ path: 'variables[0].name', message: 'must be a name' }],
    });
    await user.click(screen.getByRole('button', { name: 'Create template' }));
    const variable = within(screen.getByRole('group', { name: 'Variable 1' }));
    await variable.findByText('must be a name');
    await waitFor(() => expect(document.activeElement).toBe(variable.getByRole('textbox', { name: 'Name' })));
  });

  it('says which words of it never have a value until they are mended', async () => {
    const { user } = show(<SavedTemplate id="t-1" />, { gateway });
    await screen.findByText('Text reads percent, which never has a value');
    screen.getByText('The variable percent is read by no text');

    await user.click(screen.getByRole('button', { name: 'Add a variable' }));
    const second = within(screen.getByRole('group', { name: 'Variable 2' }));
    expect(document.activeElement).toBe(second.getByRole('textbox', { name: 'Name' }));
    await user.click(second.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Add a variable'));

    const mended = { ...sale, version: 2, message: { content: '{{ variables.percent }} % off' }, warnings: [] };
    gateway.answer('PUT', TEMPLATE, mended);
    gateway.answer('GET', TEMPLATE, mended);
    const text = screen.getByRole('textbox', { name: 'Text' });
    await user.clear(text);
    await user.type(text, '{{{{ variables.percent }} % off');
    await user.click(screen.getByRole('button', { name: 'Save as a new version' }));
    await screen.findByText('Version 2');
    expect(screen.queryByText(/never has a value/)).toBeNull();
    expect(gateway.askedFor('PUT', TEMPLATE)[0]?.body).toMatchObject({
      message: { content: '{{ variables.percent }} % off' },
      version: 1,
    });
  });

  describe('that another person saves meanwhile', () => {
    const theirs = { ...sale, version: 2, message: { useAsAlert: true, content: 'Theirs' }, updatedBy: 'Linus' };

    it('keeps what was written here, until it is decided what becomes of it', async () => {
      gateway.answerWith('PUT', TEMPLATE, ({ body }) => {
        const { version } = body as { version: number };
        if (version === 2) return Response.json({ ...sale, ...(body as object), version: 3 });
        const error = { message: 'Saved since', code: 'EDIT_CONFLICT', current: theirs };
        return Response.json({ error }, { status: 409 });
      });
      const { user } = show(<SavedTemplate id="t-1" />, { gateway });
      await user.type(await screen.findByRole('textbox', { name: 'Text' }), '!');
      gateway.answer('GET', TEMPLATE, theirs);
      await user.click(screen.getByRole('button', { name: 'Save as a new version' }));
      await screen.findByText('There is a newer version');
      screen.getByText(/saved version 2/);
      expect(screen.getByRole('textbox', { name: 'Text' })).toHaveProperty('value', '{{ percent }} % off!');

      await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
      expect(screen.queryByText('There is a newer version')).toBeNull();
      gateway.answer('GET', TEMPLATE, { ...sale, version: 3 });
      await user.click(screen.getByRole('button', { name: 'Save as a new version' }));
      await screen.findByText('Version 3');
      expect(gateway.askedFor('PUT', TEMPLATE)[1]?.body).toMatchObject({
        message: { content: '{{ percent }} % off!' },
        version: 2,
      });
    });

    it('is shown as they saved it where nothing was written, or what was written is discarded', async () => {
      const { user, readAgain } = show(<SavedTemplate id="t-1" />, { gateway });
      const text = (): HTMLElement => screen.getByRole('textbox', { name: 'Text' });
      await screen.findByRole('textbox', { name: 'Text' });
      gateway.answer('GET', TEMPLATE, theirs);
      await readAgain();
      await screen.findByText('Version 2');
      expect(text()).toHaveProperty('value', 'Theirs');

      await user.type(text(), '!');
      gateway.answer('GET', TEMPLATE, { ...theirs, version: 3, message: { content: 'Again theirs' } });
      await readAgain();
      await user.click(await screen.findByRole('button', { name: 'Discard my changes' }));
      expect(text()).toHaveProperty('value', 'Again theirs');
    });

    it('stays in its form when it cannot be read again', async () => {
      const { user, readAgain } = show(<SavedTemplate id="t-1" />, { gateway });
      await user.type(await screen.findByRole('textbox', { name: 'Text' }), '!');
      gateway.refuse('GET', TEMPLATE, 404, { message: 'There is no such template' });
      await readAgain();
      await waitFor(() => expect(gateway.askedFor('GET', TEMPLATE)).toHaveLength(2));
      expect(screen.getByRole('textbox', { name: 'Text' })).toHaveProperty('value', '{{ percent }} % off!');
    });
  });

  it('that another person has deleted can be saved as a new one', async () => {
    gateway.refuse('PUT', TEMPLATE, 404, { message: 'There is no such template', code: 'NOT_FOUND' });
    gateway.answer('POST', '/api/templates', { ...sale, id: 't-2' });
    const { user } = show(<SavedTemplate id="t-1" />, { gateway });
    await user.type(await screen.findByRole('textbox', { name: 'Text' }), '!');
    await user.click(screen.getByRole('button', { name: 'Save as a new version' }));
    await screen.findByText('Somebody else has deleted this template');
    expect(screen.getByRole('textbox', { name: 'Text' })).toHaveProperty('value', '{{ percent }} % off!');

    await user.click(screen.getByRole('button', { name: 'Create template' }));
    await waitFor(() => expect(window.location.pathname).toMatch(/\/templates\/t-2$/));
    expect(gateway.askedFor('POST', '/api/templates')[0]?.body).toMatchObject({
      name: 'Sale',
      message: { content: '{{ percent }} % off!' },
    });
  });

  it('opens an older version before anybody goes back to it', async () => {
    const versions = [2, 1].map((version) => ({ version, createdAt: AT, createdBy: 'Grace' }));
    gateway.answer('GET', `${TEMPLATE}/versions`, { versions, nextCursor: null });
    gateway.answer('GET', TEMPLATE, ({ query }) =>
      query.version === '1' ? sale : { ...sale, version: 2, message: { content: 'New' } },
    );
    const { user } = show(<SavedTemplate id="t-1" />, { gateway });
    await user.click(await screen.findByRole('button', { name: 'Open version 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Version 1' }));
    await dialog.findByText('{{ percent }} % off');
    dialog.getByText('(required)');
    expect(screen.queryByRole('button', { name: 'Open version 2' })).toBeNull();
  });
});
