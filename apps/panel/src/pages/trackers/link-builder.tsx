import { Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../components/copy-button';
import { SectionCard } from '../../components/section-card';
import { linkProblem } from '../../model/message-problems';
import { trackerLink } from '../../model/tracker-link';
import classes from './trackers.module.css';

/** Makes links of a tracker: each may name a screen of the app and a page of its own. */
export function LinkBuilder({ url }: { url: string }): ReactNode {
  const [deepLink, setDeepLink] = useState('');
  const [redirect, setRedirect] = useState('');
  const problem = linkProblem(deepLink) ?? linkProblem(redirect);
  const link = problem === undefined ? trackerLink({ base: url, deepLink, redirect }) : url;
  return (
    <SectionCard title="A link to hand out" description="Leave both fields empty for the tracker’s own destinations.">
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
          Every part is encoded as it has to be: paste it as it is.
        </Text>
      </Stack>
    </SectionCard>
  );
}
