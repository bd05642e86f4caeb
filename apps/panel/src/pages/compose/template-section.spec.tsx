import { screen } from '@testing-library/react';
import { newMessage } from '../../model/message-draft';
import { composeOf } from '../../testing/compose';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { ComposeContext } from './compose-context';
import { TemplateSection } from './template-section';
import { AT } from './testing/composed-page';

const TEMPLATES = '/api/templates';

describe('the templates of the compose page', () => {
  it('are offered once they can be read, and until then it is said that they cannot', async () => {
    const gateway = new FakeGateway();
    gateway.refuse('GET', TEMPLATES, 500, { message: 'Something is wrong' });
    const { user } = show(
      <ComposeContext value={composeOf(newMessage('draft-1'))}>
        <TemplateSection />
      </ComposeContext>,
      { gateway },
    );
    await screen.findByText('The templates could not be read');
    expect(screen.queryByRole('combobox')).toBeNull();
    const template = { id: 't-1', name: 'Sale', description: null, version: 1, createdAt: AT, updatedAt: AT };
    gateway.answer('GET', TEMPLATES, { templates: [{ ...template, updatedBy: 'Grace' }], nextCursor: null });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('combobox', { name: 'Begin with a template' });
  });
});
