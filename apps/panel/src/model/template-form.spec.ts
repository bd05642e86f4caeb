import type { TemplateResponse } from '@postrider/server/document';
import { contentOf } from './message-requests';
import { draftOfTemplate, formOfTemplate, templateOfForm } from './template-form';

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
  warnings: [],
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

  it('keeps descriptions, and defaults that are no text, and does not turn on what it did not say', () => {
    const variables = [
      { name: 'urgent', required: false, default: false, description: 'in red' },
      { name: 'count', required: false, default: 3 },
    ];
    const template = { ...TEMPLATE, variables, message: { content: 'x' } };
    const form = formOfTemplate(template);
    expect(templateOfForm(form)).toMatchObject({ variables, message: { content: 'x', useAsAlert: false } });
    const [first, count] = form.variables;
    if (!first || !count) throw new Error('There are two');
    expect(templateOfForm({ ...form, variables: [{ ...count, default: '4' }] }).variables).toEqual([
      { name: 'count', required: false, default: 4 },
    ]);
    const draft = draftOfTemplate(template, 'd');
    expect(contentOf(draft).variables).toEqual({ urgent: false, count: 3 });
  });

  it('begins a message with its fallback, and with fields that only the app knows', () => {
    const message = {
      ...TEMPLATE.message,
      colour: 'red',
      notification: { title: 'Ready', vibrate: [1, 2] },
      fallback: { content: 'SMS', delay: 30, policy: 'NOTIFICATION_SHOWN' },
    };
    const draft = draftOfTemplate({ ...TEMPLATE, message }, 'd');
    const named = { ...draft, audience: { ...draft.audience, kind: 'users' as const, users: 'ada' } };
    expect(contentOf(named)).toMatchObject({
      colour: 'red',
      notification: { title: 'Ready', vibrate: [1, 2] },
      fallback: { content: 'SMS', delay: 30, media: 'sms', policy: 'NOTIFICATION_SHOWN' },
    });
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

  it('is named by the message, as long as the message leaves out nothing that it says', () => {
    const begun = draftOfTemplate(TEMPLATE, 'd');
    expect(contentOf(begun)).toMatchObject({ templateId: 't-1', templateVersion: 2 });
    expect(contentOf({ ...begun, title: 'Yours', content: 'Another text' })).toMatchObject({ templateId: 't-1' });
    const [order, place] = begun.variables;
    if (!order || !place) throw new Error('There are two');
    const less = [
      { clickUrl: '' },
      { sound: '' },
      { data: '' },
      { alertText: 'Come' },
      { variables: [order, { ...place, value: '' }] },
      { template: null },
    ];
    for (const changes of less) expect(contentOf({ ...begun, ...changes })).not.toHaveProperty('templateId');
  });

  it('is named where it has a body, languages and variants', () => {
    const body = { content: 'Text', notification: { title: 'T', body: 'Shown' } };
    const withBody = draftOfTemplate({ ...TEMPLATE, message: body }, 'd');
    expect(contentOf(withBody)).toMatchObject({ templateId: 't-1', notification: { title: 'T', body: 'Shown' } });
    expect(contentOf({ ...withBody, alertText: 'Yours' }).notification).toEqual({ title: 'T', body: 'Yours' });
    const localized = { en: {}, de: { content: 'Hallo', notification: { title: 'Titel' } } };
    const variants = ['A', 'B'].map((name) => ({ name, weight: 1, content: name }));
    const rich = draftOfTemplate({ ...TEMPLATE, message: { content: 'x', localized, variants } }, 'd');
    expect(contentOf(rich)).toMatchObject({ templateId: 't-1', localized, variants });
    const [english, german] = rich.languages;
    if (!english || !german) throw new Error('There are two');
    expect(contentOf({ ...rich, languages: [english, { ...german, title: '' }] })).not.toHaveProperty('templateId');
    expect(contentOf({ ...rich, languages: [german] })).not.toHaveProperty('templateId');
  });
});
