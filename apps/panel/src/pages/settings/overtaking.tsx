import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error';
import { NewerNotice, type NewerChoice } from '../../components/newer-notice';
import type { Edits } from '../../components/use-edits';

/** How a person reads what is stored, for each setting that two operators cannot both change. */
export type Sayings<Settings> = { readonly [Name in keyof Settings]?: (stored: Settings) => string };

/** Says what another operator has saved meanwhile in place of what was changed here; null: nothing that was changed here. */
export function sayOvertaking<Settings extends object>(
  stored: Settings,
  { base, changed }: Pick<Edits<Settings>, 'base' | 'changed'>,
  sayings: Sayings<Settings>,
): string | null {
  const theirs = (Object.keys(changed) as (keyof Settings)[])
    .filter((name) => stored[name] !== base[name] && stored[name] !== changed[name])
    .flatMap((name) => sayings[name]?.(stored) ?? []);
  return theirs.length === 0 ? null : `Theirs are: ${theirs.join('; ')}.`;
}

/** The failure of a form that would replace what another operator has saved meanwhile. */
export function overtaken(title: string): ApiError {
  return new ApiError(title, 409, 'EDIT_CONFLICT');
}

/** Shows what another operator has saved meanwhile, and asks whether the changes made here replace it. */
export function OvertakenNotice({
  title,
  theirs,
  ...choice
}: NewerChoice & { title: string; theirs: string }): ReactNode {
  return (
    <NewerNotice title={title} {...choice}>
      {theirs} What you changed is here only. If you keep it and save it, it replaces theirs.
    </NewerNotice>
  );
}
