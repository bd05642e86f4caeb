import type { TemplateRequest, TemplateResponse } from '@postrider/server/document';
import type { MessageContentResponse } from '@postrider/server/document';
import { copyOf, variableOf } from './copy-message';
import { readFurtherFields, textOf } from './message-body';
import type { MessageDraft } from './message-draft';

/** A variable of a template as it is being written. */
export interface VariableForm {
  key: number;
  name: string;
  isRequired: boolean;
  default: string;
  /** True if its default is something else than text. */
  isJson: boolean;
  /** The parts that the form does not show. */
  description?: string;
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
  const more = {
    ...others,
    // The form says it of every template that does not say otherwise.
    ...(useAsAlert === true ? {} : { useAsAlert: useAsAlert ?? false }),
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
      isJson: variable.default !== undefined && typeof variable.default !== 'string',
      ...(variable.description === undefined ? {} : { description: variable.description }),
    })),
  };
}

/** Returns the request that saves a form. `more` is JSON, or empty. */
export function templateOfForm(form: TemplateForm): TemplateRequest {
  const more = readFurtherFields(form.more) ?? {};
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
    variables: form.variables.map(({ name, isRequired, default: usual, isJson, description }) => ({
      name,
      required: isRequired,
      ...(usual === '' ? {} : { default: isJson ? jsonOrText(usual) : usual }),
      ...(description === undefined ? {} : { description }),
    })),
  };
}

/** A default that was a number stays a number. */
function jsonOrText(typed: string): NonNullable<TemplateRequest['variables']>[number]['default'] {
  try {
    return JSON.parse(typed) as number;
  } catch {
    return typed;
  }
}

/** A message that begins with a template. */
export function draftOfTemplate(template: TemplateResponse, draftId: string): MessageDraft {
  const { id, name, version, message, variables } = template;
  const flags = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
  const content = { ...flags, ...message } as unknown as MessageContentResponse;
  return {
    ...copyOf(content, 'public/default', draftId),
    name,
    template: { id, name, version, says: saidBy(template) },
    variables: variables.map(({ name: called, default: usual, required, description = '' }) => ({
      ...variableOf(called, usual),
      isRequired: required,
      description,
    })),
  };
}

/** Returns every field that a template would fill in if a send leaves it out. */
function saidBy({ message, variables }: Pick<TemplateResponse, 'message' | 'variables'>): string[][] {
  const { notification, localized, ...fields } = message;
  const languages = Object.entries((localized ?? {}) as Record<string, Json>);
  return [
    ...pathsOf(fields),
    ...pathsOf((notification ?? {}) as Json, ['notification']),
    ...languages.flatMap(([tag, { notification: shown, ...texts }]) => [
      ['localized', tag],
      ...pathsOf(texts, ['localized', tag]),
      ...pathsOf((shown ?? {}) as Json, ['localized', tag, 'notification']),
    ]),
    ...variables.filter((one) => one.default !== undefined).map((one) => ['variables', one.name]),
  ];
}

function pathsOf(fields: Json, below: string[] = []): string[][] {
  const said = Object.entries(fields).filter(([, value]) => value !== null && value !== false);
  return said.map(([name]) => [...below, name]);
}
