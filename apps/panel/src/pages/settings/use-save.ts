import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';

/** Does something, says that it was done, and reads again what it changed. */
export function useSave<Input = void, Output = unknown>(plan: {
  save: (input: Input) => Promise<Output>;
  /** What was done, in words; nothing is said without it. */
  said?: string;
  changes: readonly QueryKey[];
  onDone?: (output: Output) => void;
}): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: plan.save,
    onSuccess: async (output) => {
      await Promise.all(plan.changes.map((queryKey) => client.invalidateQueries({ queryKey })));
      if (plan.said !== undefined) notifications.show({ message: plan.said, color: 'pine' });
      plan.onDone?.(output);
    },
  });
}
