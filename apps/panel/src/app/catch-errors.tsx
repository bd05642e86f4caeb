import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { forgetFailures, PageNotLoaded } from './pages';

/** Shows a page of its own in place of one that failed, instead of nothing at all. */
export class CatchErrors extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  // Whoever goes to another page and comes back tries again.
  override componentWillUnmount(): void {
    forgetFailures();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Container size="xs" py="xl">
        {error instanceof PageNotLoaded ? <NotLoaded error={error} onRetry={this.retry} /> : <Failed error={error} />}
      </Container>
    );
  }

  private readonly retry = (): void => {
    forgetFailures();
    this.setState({ error: null });
  };
}

function NotLoaded({ error, onRetry }: { error: Error; onRetry: () => void }): ReactNode {
  return (
    <Stack role="alert">
      <Title order={1}>This page could not be loaded</Title>
      <Text>
        Check your connection and whether the gateway is running, then try again. If the panel was updated meanwhile,
        reload it. If the error stays, give this message to the operator:
      </Text>
      <Message error={error} />
      <Group>
        <Button onClick={onRetry}>Try again</Button>
        <Button variant="default" onClick={reload}>
          Reload
        </Button>
      </Group>
    </Stack>
  );
}

function Failed({ error }: { error: Error }): ReactNode {
  return (
    <Stack>
      <Title order={1}>This page failed</Title>
      <Text>
        The panel may have been updated. Reload the page. If the error stays, give this message to the operator:
      </Text>
      <Message error={error} />
      <Button onClick={reload}>Reload</Button>
    </Stack>
  );
}

function Message({ error }: { error: Error }): ReactNode {
  return (
    <Text component="code" ff="monospace" size="sm">
      {error.message}
    </Text>
  );
}

function reload(): void {
  window.location.reload();
}
