import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { flushSync } from 'react-dom';

/** Says whether the page is being printed. The browser takes what is there once it has told the page: React may not draw later. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useWindowEvent('beforeprint', () => flushSync(() => setPrinting(true)));
  useWindowEvent('afterprint', () => flushSync(() => setPrinting(false)));
  return isPrinting;
}
