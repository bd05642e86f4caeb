import type { TemplateRequest, TemplateResponse } from '@postrider/server/document';
import type { MessageContentResponse } from '@postrider/server/document';
import { copyOf } from './copy-message';
import type { MessageDraft } from './message-draft';

/** A variable of a template as it is being written. */
export interface VariableForm {
  key: number;
  name: string;
  isRequired: boolean;
  default: string;
}

/** A template as it is being written. */
export interface TemplateForm {
  name: string;
  description: string;
  title: string;
  content: string;
  clickUrl: string;
  /** Every other field of the content, as JSON. */
  more: string;
  variables: VariableForm[];
}

/** A template with nothing written yet. */
export const EMPTY_TEMPLATE: TemplateForm = {
  name: '',
  description: '',
  title: '',
  content: '',
  clickUrl: '',
  more: '',
  variables: [],
};

type Json = Record<string, unknown>;

/** A saved template as a form. */
export function formOfTemplate({ name, description, message, variables }: TemplateResponse): TemplateForm {
  const { content, notification, useAsAlert, ...others } = message;
  const { title, clickUrl, ...rest } = (notification ?? {}) as Json;
  const isPlain = useAsAlert === true;
  const more = {
    ...others,
    ...(isPlain || useAsAlert === undefined ? {} : { useAsAlert }),
    ...(Object.keys(rest).length === 0 ? {} : { notification: rest }),
  };
  return {
    name,
    description: description ?? '',
    title: textOf(title),
    content: textOf(content),
    clickUrl: textOf(clickUrl),
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
    variables: variables.map((variable, key) => ({
      key,
      name: variable.name,
      isRequired: variable.required,
      default: textOf(variable.default),
    })),
  };
}

/** What saves a form. `more` is JSON, or empty. */
export function templateOfForm(form: TemplateForm): TemplateRequest {
  const more = form.more.trim() === '' ? {} : (JSON.parse(form.more) as Json);
  const notification = {
    ...(more.notification as Json | undefined),
    ...(form.title === '' ? {} : { title: form.title }),
    ...(form.clickUrl === '' ? {} : { clickUrl: form.clickUrl }),
  };
  const message = {
    useAsAlert: true,
    ...more,
    ...(form.content === '' ? {} : { content: form.content }),
    ...(Object.keys(notification).length === 0 ? {} : { notification }),
  };
  return {
    name: form.name,
    ...(form.description.trim() === '' ? {} : { description: form.description }),
    message,
    variables: form.variables.map(({ name, isRequired, default: usual }) => ({
      name,
      required: isRequired,
      ...(usual === '' ? {} : { default: usual }),
    })),
  };
}

/** Whether the further fields can be read: an object, or nothing. */
export function isReadable(more: string): boolean {
  if (more.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(more);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A message that begins with a template. */
export function draftOfTemplate({ name, message, variables }: TemplateResponse, draftId: string): MessageDraft {
  const flags = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
  const content = { ...flags, ...message } as unknown as MessageContentResponse;
  return {
    ...copyOf(content, 'public/default', draftId),
    name,
    variables: variables.map((variable) => ({
      name: variable.name,
      value: textOf(variable.default),
      isRequired: variable.required,
      description: variable.description ?? '',
    })),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
