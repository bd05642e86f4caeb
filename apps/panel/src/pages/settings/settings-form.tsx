import { Button, Group } from '@mantine/core';
import type { ApplicationChangesRequest, ApplicationResponse } from '@postrider/server/document';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isEditConflict } from '../../api/api-error';
import { ADMIN, keyOf, useAdminApi } from '../../api/client';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { type Edits, useEdits } from '../../components/use-edits';
import { changeNewest } from './change-newest';
import { overtaken, OvertakenNotice } from './overtaking';
import classes from './settings.module.css';

/** Some settings of an application that are edited and saved together. */
export interface SettingsPart<Settings extends object> {
  settingsOf: (application: ApplicationResponse) => Settings;
  /** Says what another operator has saved meanwhile in place of what was changed here; null: nothing that was changed here. */
  sayTheirs: (stored: Settings, edits: Pick<Edits<Settings>, 'base' | 'changed'>) => string | null;
  /** Returns what to save of the changes. */
  bodyOf: (
    changed: Partial<Settings>,
    base: Partial<Settings>,
    newest: ApplicationResponse,
  ) => ApplicationChangesRequest;
  /** The title of the notice that another operator has changed them meanwhile. */
  overtaken: string;
  /** The text that says that they were saved. */
  said: string;
  /** What shows them too, beside the application's own page. */
  alsoShownIn?: readonly QueryKey[];
}

/** Settings while they are edited. */
interface EditedSettings<Settings extends object> extends Edits<Settings> {
  /** The settings as they were read last. */
  stored: Settings;
  /** What another operator has saved meanwhile in place of what was changed here. */
  theirs: string | null;
  overtaken: string;
  error: Error | null;
  isPending: boolean;
  save: () => void;
}

/** Edits some settings of an application. Only those are saved that were changed here. */
export function useSettings<Settings extends object>(
  application: ApplicationResponse,
  part: SettingsPart<Settings>,
): EditedSettings<Settings> {
  const api = useAdminApi();
  const stored = part.settingsOf(application);
  const edits = useEdits(stored);
  const { base, changed } = edits;
  const saving = useSave({
    save: async (saved: Partial<Settings>) => {
      if (Object.keys(saved).length === 0) return saved;
      await changeNewest(api, application.id, (newest) => {
        const theirs = part.sayTheirs(part.settingsOf(newest), { base, changed: saved });
        if (theirs !== null) throw overtaken(part.overtaken);
        return part.bodyOf(saved, base, newest);
      });
      return saved;
    },
    said: part.said,
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', { path: { id: application.id } }), ...(part.alsoShownIn ?? [])],
    onDone: edits.markSaved,
  });
  return {
    ...edits,
    stored,
    theirs: part.sayTheirs(stored, edits),
    overtaken: part.overtaken,
    error: saving.error,
    isPending: saving.isPending,
    save: () => saving.mutate(changed),
  };
}

/**
 * The form of some settings: below its fields are what another operator has changed meanwhile, the error, and the button
 * that saves.
 */
export function SettingsForm<Settings extends object>(props: {
  settings: EditedSettings<Settings>;
  /** The places in the gateway's answer that are shown at their fields. */
  shownPaths: readonly string[];
  /** Keeps what was changed here, to be saved over what another operator has saved. */
  onKeep?: () => void;
  /** The fields. */
  children: ReactNode;
  /** A button beside the one that saves. */
  button?: ReactNode;
}): ReactNode {
  const { settings, shownPaths, onKeep = settings.rebase, children, button } = props;
  const { stored, theirs, error, change } = settings;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        settings.save();
      }}
    >
      {children}
      {theirs !== null && (
        <OvertakenNotice title={settings.overtaken} theirs={theirs} onTake={() => change(stored)} onKeep={onKeep} />
      )}
      {!isEditConflict(error) && <ErrorNotice error={error} shownPaths={shownPaths} />}
      <Group>
        <Button type="submit" loading={settings.isPending} disabled={theirs !== null}>
          Save
        </Button>
        {button}
      </Group>
    </form>
  );
}
