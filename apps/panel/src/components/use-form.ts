import { type ChangeEvent, useState } from 'react';
import { ApiError } from '../api/api-error';
import { useOneAtATime } from '../api/use-one-at-a-time';
import { type SavePlan, useSave } from '../api/use-save';

/** The problems of fields, by their names. */
export type Problems = Readonly<Record<string, string>>;

/** The fields of a form, and the action that it runs. */
interface FormPlan<Values extends object, Output> extends SavePlan<Values, Output> {
  initial: Values | (() => Values);
  /** Returns problems that are visible before anything is sent; if there are any, nothing is sent. */
  check?: (values: Values) => Problems;
  /** The fields that show their own problems: all values, when left out. Each has the name that the API gives it. */
  fields?: (values: Values) => readonly string[];
}

/** A text field's value, its change handler, and its problem. */
interface TextInputOf {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  error: string | undefined;
}

/** The current state of a form. */
export interface Form<Values extends object> {
  values: Values;
  change: (values: Partial<Values>) => void;
  /** Returns the problem of a field, or of something inside it. */
  problemOf: (name: string) => string | undefined;
  text: (name: TextNames<Values>) => TextInputOf;
  submit: () => void;
  isPending: boolean;
  error: Error | null;
  /** The places in the gateway's answer that are shown at their fields. */
  shownPaths: readonly string[];
}

type TextNames<Values> = {
  [Name in keyof Values]: Values[Name] extends string ? Name : never;
}[keyof Values] &
  string;

/** Keeps the values of a form, checks and saves them once however often it is sent, and finds the problems of each field. */
export function useForm<Values extends object, Output = unknown>(plan: FormPlan<Values, Output>): Form<Values> {
  const [values, setValues] = useState<Values>(plan.initial);
  const [problems, setProblems] = useState<Problems>({});
  const saving = useSave(plan);
  const send = useOneAtATime((checked: Values) => saving.mutateAsync(checked));
  const change = (changed: Partial<Values>): void => setValues((before) => ({ ...before, ...changed }));
  const problemOf = (name: string): string | undefined => problems[name] ?? problemBelow(saving.error, name);
  const names = plan.fields?.(values) ?? Object.keys(values);
  const submit = (): void => {
    const found = plan.check?.(values) ?? {};
    setProblems(found);
    if (Object.keys(found).length === 0) send(values);
  };
  return {
    values,
    change,
    problemOf,
    text: (name) => ({
      value: values[name] as string,
      onChange: ({ currentTarget }) => change({ [name]: currentTarget.value } as Partial<Values>),
      error: problemOf(name),
    }),
    submit,
    isPending: saving.isPending,
    error: saving.error,
    shownPaths: detailsOf(saving.error)
      .map(({ path }) => path)
      .filter((path) => names.some((name) => isBelow(path, name))),
  };
}

/** Returns the gateway's problem of a field, or of something inside it (`serviceAccount.private_key`, `events[0]`). */
function problemBelow(error: unknown, name: string): string | undefined {
  const found = detailsOf(error).filter(({ path }) => isBelow(path, name));
  if (found.length === 0) return undefined;
  return found.map(({ path, message }) => `${placeIn(path, name)}${message}`).join('; ');
}

function placeIn(path: string, name: string): string {
  const place = path.slice(name.length).replace(/^\./, '');
  return place === '' ? '' : `${place} `;
}

function isBelow(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
}

function detailsOf(error: unknown): ApiError['details'] {
  return error instanceof ApiError ? error.details : [];
}
