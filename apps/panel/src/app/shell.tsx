import { AppShell, Burger, Group, Loader, ScrollArea } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { CatchErrors } from './catch-errors';
import { OutdatedNotice } from '../components/outdated-notice';
import { Mark } from './mark';
import { Navigation, NavigationFoot } from './navigation';
import classes from './shell.module.css';

/** The frame of every page: the navigation at the side, on a phone behind a button. */
export function Shell({ appId, children }: { appId: string | null; children: ReactNode }): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  useEffect(() => {
    close();
    window.scrollTo(0, 0);
  }, [location, close]);
  useFocusOnArrival(location);
  const pages = usePresentPageInSight(location);
  const burger = useRef<HTMLButtonElement>(null);
  const closeByEscape = (event: KeyboardEvent): void => {
    if (!isOpen || event.key !== 'Escape' || isOfList(event.target)) return;
    close();
    burger.current?.focus();
  };
  // Before an open list hears of the key, and is gone.
  useWindowEvent('keydown', closeByEscape, { capture: true });
  return (
    <AppShell
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
      transitionDuration={150}
    >
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Group h="100%" px="md" justify="space-between">
          <Mark />
          <Burger
            ref={burger}
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
            aria-expanded={isOpen}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Panel" className={classes.navbar} data-closed={!isOpen || undefined}>
        <ScrollArea type="auto" className={classes.scroll} viewportRef={pages} viewportProps={{ tabIndex: -1 }}>
          <Navigation appId={appId} />
        </ScrollArea>
        <NavigationFoot />
      </AppShell.Navbar>
      {/* The open menu covers the page: whoever moves on into the page wants to see it. */}
      <AppShell.Main id="content" tabIndex={-1} className={classes.main} onFocus={close}>
        <div className={classes.page}>
          <OutdatedNotice />
          <CatchErrors key={location.split('/')[1]}>
            <Suspense fallback={<Loader role="progressbar" aria-label="Loading" />}>{children}</Suspense>
          </CatchErrors>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** A list that Escape closes by itself, and the button that has opened it. */
const LIST = '[role="menu"], [aria-haspopup="menu"][aria-expanded="true"]';

function isOfList(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(LIST) !== null;
}

/**
 * Scrolls the part with the pages, where it is too low for all of them, to the page that opens; again when the
 * application's name, which is read later, takes more lines than its id. @returns the part
 */
function usePresentPageInSight(location: string): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = part;
    if (!current?.firstElementChild) return undefined;
    const observer = new ResizeObserver(() => showPresentPage(current));
    observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [location]);
  return part;
}

function showPresentPage(part: HTMLElement): void {
  const present = part.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (!present) return;
  const { top, bottom } = part.getBoundingClientRect();
  if (present.bottom > bottom) part.scrollTop += present.bottom - bottom;
  if (present.top < top) part.scrollTop -= top - present.top;
}

/**
 * Moves the focus into the page that opens, so that the keyboard and screen readers continue there. A page that takes
 * the focus itself keeps it, and so does a tab that was pressed within a page.
 */
function useFocusOnArrival(location: string): void {
  const former = useRef(location);
  useEffect(() => {
    if (former.current === location) return;
    former.current = location;
    const content = document.getElementById('content');
    if (content && !content.contains(document.activeElement)) content.focus({ preventScroll: true });
  }, [location]);
}
