import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error';
import { signIn } from '../api/session';
import { ErrorNotice } from '../components/error-notice';
import { focusProblem } from '../components/keep-focus';
import { useDocumentTitle } from '../components/use-document-title';
import { Mark } from './mark';
import classes from './sign-in-page.module.css';

/**
 * The page on which people enter their token.
 *
 * @param isAgain their session has ended by itself
 */
export function SignInPage({ isAgain = false }: { isAgain?: boolean }): ReactNode {
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const signing = useMutation({
    mutationFn: () => signIn(client, token.trim()),
  });
  useDocumentTitle('Sign in');
  const form = useRef<HTMLFormElement>(null);
  const isWrong = signing.error instanceof ApiError && signing.error.status === 401;
  useEffect(() => {
    if (isWrong) focusProblem(form.current);
  }, [isWrong]);
  return (
    <main className={classes.page} data-page="sign-in">
      <form
        ref={form}
        className={`card ${classes.form ?? ''}`}
        onSubmit={(event) => {
          event.preventDefault();
          signing.mutate();
        }}
      >
        <Stack gap="lg">
          <Mark />
          <div>
            <Title order={1}>Sign in</Title>
            <Text c="dimmed" size="sm" mt={4}>
              The admin token opens every application. An application&rsquo;s token opens that application, as far as
              its scopes allow.
            </Text>
          </div>
          {isAgain && (
            <Alert color="amber" variant="light" role="status">
              Your session has ended. With the same token you continue where you were.
            </Alert>
          )}
          <PasswordInput
            label="Token"
            name="token"
            autoComplete="current-password"
            value={token}
            onChange={({ currentTarget }) => setToken(currentTarget.value)}
            error={isWrong && 'This token is not valid'}
            // Mantine says it to the eye only.
            aria-invalid={isWrong || undefined}
            required
            withAsterisk={false}
            autoFocus
          />
          {!isWrong && <ErrorNotice error={signing.error} />}
          <Button type="submit" loading={signing.isPending} fullWidth>
            Sign in
          </Button>
          <Text size="xs" c="dimmed">
            <code>npm start</code> prints the tokens; the admin token is <code>ADMIN_TOKEN</code>, kept in{' '}
            <code>.data/</code> when it was generated.
          </Text>
        </Stack>
      </form>
    </main>
  );
}
