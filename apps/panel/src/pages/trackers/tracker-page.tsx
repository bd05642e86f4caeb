import { Button, Grid, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { keyOf, useApi, useAppId, deletionOf } from '../../api/client';
import type { TrackerResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { IconTrash } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { UnreadPage } from '../../components/unread-page';
import { settingsOf, trackerLink } from '../../model/tracker';
import { Fact } from '../../components/stat';
import { DESTINATIONS, TrackerDialog } from './tracker-dialog';
import { TrackerStats } from './tracker-stats';
import { CopyButton } from '../../components/copy-button';
import { linkProblem } from '../../model/message-problems';
import classes from './trackers.module.css';

const BACK = { href: '/trackers', label: 'Trackers' };

/** One tracker: its clicks, its links, its settings. */
export function TrackerPage({ id }: { id: string }): ReactNode {
  const found = useRead('/api/trackers/{id}', { params: { path: { id } } });
  if (found.data === undefined)
    return <UnreadPage title="Tracker" noun="tracker" height={260} back={BACK} found={found} />;
  return <Tracker tracker={found.data} />;
}

function Tracker({ tracker }: { tracker: TrackerResponse }): ReactNode {
  const mayChange = useCan('send');
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <PageHeader
        title={<Typed text={tracker.name} lines={3} />}
        documentTitle={tracker.name}
        back={BACK}
        actions={
          mayChange && (
            <>
              <Button variant="default" onClick={() => setChanging(true)}>
                Change
              </Button>
              <DeleteTracker tracker={tracker} />
            </>
          )
        }
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <TrackerStats id={tracker.id} />
            <LinkBuilder url={tracker.url} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Destinations tracker={tracker} />
        </Grid.Col>
      </Grid>
      <TrackerDialog isOpen={isChanging} tracker={tracker} onClose={() => setChanging(false)} />
    </>
  );
}

/** The destinations of the tracker, as saved. */
function Destinations({ tracker }: { tracker: TrackerResponse }): ReactNode {
  const settings = settingsOf(tracker);
  const known = DESTINATIONS.filter(({ field }) => settings[field] !== '');
  return (
    <SectionCard title="Where it leads">
      {known.length === 0 && (
        <Text size="sm" c="dimmed">
          Nowhere, unless a link names a destination.
        </Text>
      )}
      <dl className={classes.destinations}>
        {known.map(({ field, label }) => (
          <Fact key={field} name={label}>
            <Typed text={settings[field]} lines={3} />
          </Fact>
        ))}
        {settings.allowedHosts.length > 0 && (
          <Fact name="Hosts that links may name">
            <Typed text={settings.allowedHosts.join(', ')} lines={6} />
          </Fact>
        )}
      </dl>
    </SectionCard>
  );
}

function DeleteTracker({ tracker }: { tracker: TrackerResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const remove = async (): Promise<void> => {
    await deletionOf(api.DELETE('/api/trackers/{id}', { params: { path: { id: tracker.id } } }));
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/trackers') });
    navigate('/trackers');
  };
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title="Delete this tracker?"
        confirmLabel="Delete it"
        onConfirm={remove}
        onClose={() => setAsked(false)}
      >
        Its links will lead to a page that says that the link leads nowhere. Its statistics are deleted too.
      </ConfirmDialog>
    </>
  );
}

/** Makes links of a tracker: each may name a screen of the app and a page of its own. */
function LinkBuilder({ url }: { url: string }): ReactNode {
  const [deepLink, setDeepLink] = useState('');
  const [redirect, setRedirect] = useState('');
  const problem = linkProblem(deepLink) ?? linkProblem(redirect);
  const link = problem === undefined ? trackerLink({ base: url, deepLink, redirect }) : url;
  return (
    <SectionCard title="Create a link" description="Leave both fields empty to use the tracker’s destinations.">
      <Stack gap="md">
        <TextInput
          label="Screen of the app"
          placeholder="shop://orders/8841"
          value={deepLink}
          error={linkProblem(deepLink)}
          onChange={({ currentTarget }) => setDeepLink(currentTarget.value)}
        />
        <TextInput
          label="Page when the app does not open"
          placeholder="https://shop.example/orders"
          value={redirect}
          error={linkProblem(redirect)}
          onChange={({ currentTarget }) => setRedirect(currentTarget.value)}
        />
        <div className={classes.link}>
          <output aria-label="The link" className={classes.address} dir="ltr">
            {link}
          </output>
          <CopyButton value={link} label="Copy the link" />
        </div>
        <Text size="xs" c="dimmed">
          All parts are encoded. Paste the link unchanged.
        </Text>
      </Stack>
    </SectionCard>
  );
}
