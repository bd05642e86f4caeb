import type { TemplateResponse } from '@postrider/server/document';
import { draftOfTemplate, formOfTemplate, isReadable, templateOfForm } from './template-form';

const AT = '2026-11-22T10:00:00.000Z';
const TEMPLATE: TemplateResponse = {
  id: 't-1',
  name: 'Order',
  description: 'for orders',
  version: 2,
  createdAt: AT,
  updatedAt: AT,
  updatedBy: 'Grace',
  message: {
    content: 'Order {{ variables.order }}',
    useAsAlert: true,
    data: { a: 1 },
    notification: { title: 'Ready', clickUrl: 'shop://x', sound: 'bell' },
  },
  variables: [
    { name: 'order', required: true },
    { name: 'place', required: false, default: 'the shop' },
  ],
};

describe('a template in a form', () => {
  it('is saved as it was read, with every field that has no place in the form', () => {
    const { message, variables, name, description } = templateOfForm(formOfTemplate(TEMPLATE));
    expect({ message, variables, name, description }).toEqual({
      message: TEMPLATE.message,
      variables: TEMPLATE.variables,
      name: 'Order',
      description: 'for orders',
    });
  });

  it('keeps variants, also where the text stands in these alone, and begins a message with them', () => {
    const variants = ['A', 'B'].map((name) => ({ name, weight: 1, content: name, notification: { vibrate: [1] } }));
    const message = { variants, winner: { metric: 'opened', after: 60, share: 20 }, useAsAlert: true };
    const template = { ...TEMPLATE, message };
    expect(templateOfForm(formOfTemplate(template)).message).toEqual(message);
    expect(draftOfTemplate(template, 'd')).toMatchObject({
      variants: [{ name: 'A', content: 'A' }, { name: 'B' }],
      winner: { kind: 'figures', after: { amount: '1', unit: 'minutes' } },
    });
  });

  it('takes further fields only as a JSON object', () => {
    expect(['', '{"data":1}', '[1]', '{', 'null'].map(isReadable)).toEqual([true, true, false, false, false]);
  });

  it('begins a message with its texts, and with the usual values of its variables', () => {
    expect(draftOfTemplate(TEMPLATE, 'd')).toMatchObject({
      content: 'Order {{ variables.order }}',
      title: 'Ready',
      sound: 'bell',
      variables: [
        { name: 'order', value: '', isRequired: true },
        { name: 'place', value: 'the shop', isRequired: false },
      ],
    });
  });
});
