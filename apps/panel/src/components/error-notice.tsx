import { Alert, Button, List, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ApiError, asApiError, isForeign } from '../api/api-error';
import { formatNoun } from './format';
import { IconAlertCircle } from './icons';
import { focusProblem } from './keep-focus';
import { Typed } from './typed';

/** Says what went wrong, and what to try. Field problems that the form shows itself are named in `shownPaths`. */
export function ErrorNotice(props: {
  error: unknown;
  title?: string;
  shownPaths?: readonly string[];
  /** The dialog in which it is, over the page that shows the current state: one with fields, or a question alone. */
  dialog?: 'form' | 'question';
  /** Tries again, until the promise ends. */
  onRetry?: () => unknown;
}): ReactNode {
  const { error, title = 'The request failed', shownPaths = [], dialog, onRetry } = props;
  if (error === null || error === undefined) return null;
  const failure = asApiError(error);
  const details = failure.details.filter(({ path }) => !shownPaths.includes(path));
  if (failure.details.length > 0 && details.length === 0 && onRetry === undefined) return <MarkedAbove />;
  return (
    <Alert color="red" variant="light" radius="lg" title={title} icon={<IconAlertCircle aria-hidden />} role="alert">
      <Text size="sm">
        <Typed text={failure.message} />. {dialog && failure.status === 409 ? BEHIND[dialog] : adviceFor(failure)}
      </Text>
      {details.length > 0 && (
        <List size="sm" mt="xs">
          {details.slice(0, 20).map(({ path, message }, n) => (
            <List.Item key={n}>
              <Typed text={path} isMono /> <Typed text={message} />
            </List.Item>
          ))}
        </List>
      )}
      {onRetry && <RetryButton onRetry={onRetry} />}
    </Alert>
  );
}

function RetryButton({ onRetry }: { onRetry: () => unknown }): ReactNode {
  const [isTrying, setTrying] = useState(false);
  const retry = async (): Promise<void> => {
    setTrying(true);
    await onRetry();
    setTrying(false);
  };
  return (
    <Button size="xs" variant="default" mt="sm" loading={isTrying} onClick={() => void retry()}>
      Try again
    </Button>
  );
}

/** Every problem is shown at its field already. */
function MarkedAbove(): ReactNode {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => focusProblem(notice.current?.closest('form') ?? null), []);
  return (
    <Text ref={notice} size="sm" c="var(--mantine-color-error)" role="alert">
      Correct the marked fields and try again.
    </Text>
  );
}

/** The page behind a dialog is read again when the dialog was refused. */
const BEHIND = {
  form: 'Change what you entered, or close this dialog to see the current state.',
  question: 'Close this dialog to see the current state.',
};

const ADVICE: Partial<Record<number, string>> = {
  0: 'Check your connection and whether the gateway is running, then try again.',
  400: 'Correct the request and try again.',
  401: 'Your session had ended. Try again.',
  403: 'Sign in with a token that has this scope, or ask the operator for one.',
  404: 'It may have been removed, or the address is wrong.',
  409: 'Reload the page to see the present state.',
  413: 'Send fewer at a time.',
  429: 'Wait a moment and try again.',
  503: 'The database cannot be reached at the moment. Try again in a moment.',
};

/** What helps where something else than the gateway has answered. */
const ADVICE_ON_FOREIGN =
  'It may ask you to sign in: open the panel in another tab, see what comes, and then try again here.';

const ADVICE_ON_FAILURE = "Try again. If the error stays, look at the gateway's log.";

/** Returns what a person may do about a failure. */
export function adviceFor(failure: ApiError): string {
  const { status, retryAfterSeconds } = failure;
  if (isForeign(failure) && status === 0) return ADVICE_ON_FOREIGN;
  if (isForeign(failure) && status >= 500) return ADVICE_ON_FAILURE;
  if (status === 429 && retryAfterSeconds !== null) return `Try again in ${formatNoun(retryAfterSeconds, 'second')}.`;
  return ADVICE[status] ?? (status >= 500 ? ADVICE_ON_FAILURE : '');
}
