import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';

/** Shows a page of its own in place of one that failed, instead of nothing at all. */
export class CatchErrors extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Container size="xs" py="xl">
        <Stack>
          <Title order={1}>This page failed</Title>
          <Text>
            The panel may have been updated. Reload the page. If the error stays, give this message to the operator:
          </Text>
          <Text component="code" ff="monospace" size="sm">
            {error.message}
          </Text>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </Stack>
      </Container>
    );
  }
}
