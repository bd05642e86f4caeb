import { notifyManager, type Query, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { Alert, Button, Text } from '@mantine/core';
import { asApiError } from '../api/api-error';
import { inGatewayTime } from '../api/gateway-clock';
import { SESSION_KEY } from '../api/session';
import { adviceFor } from './error-notice';
import { IconAlertTriangle } from './icons';
import { Moment } from './moment';
import { Typed } from './typed';

/** Says that a part of the page is from earlier, because it could not be read again. The page stays as it was. */
export function OutdatedNotice(): ReactNode {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const oldest = useSyncExternalStore(
    useCallback((changed) => cache.subscribe(notifyManager.batchCalls(changed)), [cache]),
    () => oldestOutdated(cache),
  );
  if (oldest === undefined) return null;
  return (
    <Alert
      color="amber"
      variant="light"
      radius="lg"
      mb="lg"
      title="This page is not up to date"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
    >
      <Text size="sm">
        Something on it was read <Moment at={new Date(inGatewayTime(oldest.state.dataUpdatedAt)).toISOString()} /> and
        could not be read again: <Reason of={oldest} />
      </Text>
      <Button
        size="xs"
        variant="default"
        mt="sm"
        onClick={() => void client.refetchQueries({ type: 'active', predicate: isOutdated })}
      >
        Try again
      </Button>
    </Alert>
  );
}

function Reason({ of: { state } }: { of: Query }): ReactNode {
  if (state.error === null) return 'your browser is off line.';
  const failure = asApiError(state.error);
  return (
    <>
      <Typed text={failure.message} />. {adviceFor(failure)}
    </>
  );
}

function oldestOutdated(cache: QueryCache): Query | undefined {
  const outdated = cache.getAll().filter((query) => query.isActive() && isOutdated(query));
  // `toSorted` is not in browsers of 2022.
  return outdated.sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)[0];
}

/** True if a query shows an answer and its last attempt failed. A list says itself when its next part could not be read. */
function isOutdated({ queryKey, state }: Query): boolean {
  if (state.data === undefined || queryKey[0] === SESSION_KEY[0]) return false;
  if (state.fetchStatus === 'paused') return true;
  return state.status === 'error' && state.fetchMeta?.fetchMore === undefined;
}
