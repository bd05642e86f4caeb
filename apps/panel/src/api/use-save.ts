import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { ApiError, isNotFound, isOutcomeUnknown } from './api-error';
import { useOneAtATime } from './use-one-at-a-time';

/** An action, and the readings to repeat after it. */
export interface SavePlan<Input, Output> {
  save: (input: Input) => Promise<Output>;
  /** The text that says what was done; without it nothing is shown. */
  said?: string;
  /** The text that says that somebody else has removed it: the list that shows it is among `changes`, and its error would go with it. */
  gone?: string;
  changes: readonly QueryKey[];
  onDone?: (output: Output) => void;
}

/**
 * Does something, says that it was done, and reads again what it changed; if it came too late, it reads everything
 * again that is shown. If no answer came, it may have been done: what it changes is read again too. `mutate` does nothing while
 * the same input is being saved.
 */
export function useSave<Input = void, Output = unknown>(
  plan: SavePlan<Input, Output>,
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  const readAgain = (): Promise<unknown> =>
    Promise.all(plan.changes.map((queryKey) => client.invalidateQueries({ queryKey })));
  const saving = useMutation({
    mutationFn: plan.save,
    onError: (error) => {
      if (plan.gone !== undefined && isNotFound(error)) {
        notifications.show({ message: plan.gone, color: 'amber' });
        void readAgain();
      } else if (error instanceof ApiError && error.status === 409) void client.invalidateQueries();
      else if (isOutcomeUnknown(error)) void readAgain();
    },
    onSuccess: async (output) => {
      await readAgain();
      if (plan.said !== undefined) notifications.show({ message: plan.said, color: 'pine' });
      plan.onDone?.(output);
    },
  });
  return { ...saving, mutate: useOneAtATime(saving.mutateAsync, ([input]) => input) };
}
