import { useEffect } from 'react';

/** Names the browser's tab after the shown page; undefined leaves its name as it is. */
export function useDocumentTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Postrider`;
  }, [name]);
}
