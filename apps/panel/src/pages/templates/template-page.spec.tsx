import { screen, within } from '@testing-library/react';
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
    gateway = new FakeGateway();
    gateway.answer('GET', TEMPLATE, sale);
    gateway.answer('GET', '/api/templates/{id}/versions', { versions: [], nextCursor: null });
  });

  it('is created before it can have a new version', () => {
    show(<NewTemplate />, { gateway });
    screen.getByRole('button', { name: 'Create template' });
    expect(screen.queryByRole('button', { name: 'Save as a new version' })).toBeNull();
  });

  it('says which words of it never have a value until they are mended', async () => {
    const { user } = show(<SavedTemplate id="t-1" />, { gateway });
    await screen.findByText('Text reads percent, which never has a value');
    screen.getByText('The variable percent is read by no text');

    await user.click(screen.getByRole('button', { name: 'Add a variable' }));
    const second = within(screen.getByRole('group', { name: 'Variable 2' }));
    expect(document.activeElement).toBe(second.getByRole('textbox', { name: 'Name' }));
    await user.click(second.getByRole('button', { name: 'Remove' }));

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
});
