import type { MessageDraft } from './message-draft';

/** Something that a personal text can name. */
export interface TemplateVariable {
  label: string;
  /** The text to insert. */
  insert: string;
}

/** The values that personal texts can name, in the order in which they are offered. */
export const TEMPLATE_VARIABLES: readonly { group: string; variables: readonly TemplateVariable[] }[] = [
  {
    group: 'The user',
    variables: [
      { label: 'User id', insert: '{{ user.id }}' },
      {
        label: 'An attribute, with a default word for users who have none',
        insert: '{{ user.firstName | default: "there" }}',
      },
      { label: 'Value of a tag', insert: '{{ tags.plan }}' },
      { label: 'Only for users with a tag', insert: '{% if tags contains "premium" %}…{% endif %}' },
    ],
  },
  {
    group: 'The device',
    variables: [
      { label: 'Device type', insert: '{{ device.deviceType }}' },
      { label: 'App version', insert: '{{ device.clientVersion }}' },
      { label: 'Model', insert: '{{ device.model }}' },
    ],
  },
  { group: 'The message', variables: [{ label: 'A promo code for each user', insert: '{{ promoCode }}' }] },
];

/** True if a text is made for each person. */
export function isPersonal(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/** True if a personal text hands out promo codes. */
export function namesPromoCode(text: string): boolean {
  return isPersonal(text) && /\bpromoCode\b/.test(text);
}

/** A text in which variables that are read as they are have their values. Those without a value stay as they are written. */
export function withVariables(text: string, variables: MessageDraft['variables']): string {
  return text.replace(/\{\{-?\s*variables\.(\w+)\s*-?\}\}/g, (written, name: string) => {
    const { value = '' } = variables.find((one) => one.name === name) ?? {};
    return value === '' ? written : value;
  });
}
