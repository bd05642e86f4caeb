import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice';
import { PageHeader, type PageHeaderProps } from './page-header';

/** A page about one thing that is not there. */
interface UnreadPageProps extends Required<Pick<PageHeaderProps, 'back'>> {
  /** The heading, as long as the name of the thing is not known. */
  title: string;
  /** What it is: “tracker”. */
  noun: string;
  /** The expected height of the page, in pixels. */
  height: number;
  found: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>;
}

/** Says that the thing is being read, or why it could not be read. */
export function UnreadPage({ title, noun, height, back, found }: UnreadPageProps): ReactNode {
  if (found.isPending) return <Skeleton height={height} radius="lg" role="status" aria-label={`Reading the ${noun}`} />;
  return (
    <>
      <PageHeader title={title} back={back} />
      <ErrorNotice error={found.error} title={`The ${noun} could not be read`} onRetry={() => found.refetch()} />
    </>
  );
}
