import { Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { gatewayNow } from '../api/gateway-clock';
import { formatAgo, formatMoment, formatPrecisely } from './format';

/** A moment: how long ago, or (`isAbsolute`) day and time; the precise one on hover and focus. */
export function Moment({ at, isAbsolute = false }: { at: string; isAbsolute?: boolean }): ReactNode {
  const now = useNow(30_000);
  return (
    <Tooltip label={formatPrecisely(at)}>
      <time dateTime={at}>{isAbsolute ? formatMoment(at) : formatAgo(at, Math.max(now, gatewayNow()))}</time>
    </Tooltip>
  );
}

/** The time by the gateway's clock, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(gatewayNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(gatewayNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
