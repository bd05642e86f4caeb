import { Accordion, Checkbox, ColorInput, Input, JsonInput, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { holdsOut, isCampaign, type MessageDraft } from '../../model/message-draft';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import { TemplateField } from './template-field';
import { TrackIdField } from './track-id-field';

type TextField = 'sound' | 'icon' | 'smallIcon' | 'category' | 'groupId' | 'mediaType';
type Flag = 'silent' | 'autoNotify' | 'contentAvailable' | 'mutableContent';

const TEXTS: { field: TextField; label: string; placeholder: string }[] = [
  { field: 'sound', label: 'Sound', placeholder: 'default' },
  { field: 'icon', label: 'Icon', placeholder: 'Name or address of the image' },
  { field: 'smallIcon', label: 'Small icon (Android)', placeholder: 'ic_stat_name' },
  { field: 'category', label: 'Category', placeholder: 'Name of the category in the app' },
  { field: 'groupId', label: 'Group', placeholder: 'Notifications of one group are shown together' },
  { field: 'mediaType', label: 'Type of the media', placeholder: 'image/png' },
];
const FLAGS: { flag: Flag; label: string; about: string }[] = [
  { flag: 'silent', label: 'Silent', about: 'Shows nothing. The app gets the text and the data.' },
  {
    flag: 'autoNotify',
    label: 'Shown by the system',
    about: 'The Android system shows the notification, even if the app does not run.',
  },
  {
    flag: 'contentAvailable',
    label: 'Wakes the app (content-available)',
    about: 'iOS lets the app update its content in the background.',
  },
  {
    flag: 'mutableContent',
    label: 'The app may change the notification (mutable-content)',
    about: 'For pictures and decrypted texts on iOS.',
  },
];

/** Everything that few messages need. */
export function MoreSection(): ReactNode {
  const { draft, problems, marksAll } = useCompose();
  const isOpen =
    marksAll &&
    ['data', 'more', 'ledColor', 'clientId', 'alertText', ...(holdsOut(draft) ? [] : ['trackId'])].some(
      (field) => field in problems,
    );
  return (
    <div className="card">
      <Accordion
        variant="default"
        chevronPosition="right"
        classNames={{ item: classes.plain, label: classes.moreLabel }}
        defaultValue={isOpen || usesMore(draft) ? 'more' : null}
        key={`${draft.draftId} ${isOpen}`}
        order={2}
      >
        <Accordion.Item value="more">
          <Accordion.Control>More options</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="lg" pb="xs">
              <Tracking />
              <Flags />
              <Appearance />
              <Data />
              <FurtherFields />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </div>
  );
}

function Tracking(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <div className={classes.pair}>
      {!holdsOut(draft) && <TrackIdField />}
      {!isCampaign(draft) && (
        <TextInput
          label="Client id"
          description="Your own id for this message."
          value={draft.clientId}
          error={problemAt('clientId')}
          onChange={({ currentTarget }) => patch({ clientId: currentTarget.value })}
        />
      )}
    </div>
  );
}

function Flags(): ReactNode {
  const { draft, patch } = useCompose();
  return (
    <div role="group" aria-label="Platform options" className={classes.pair}>
      {FLAGS.map(({ flag, label, about }) => (
        <Checkbox
          key={flag}
          label={label}
          description={about}
          checked={draft[flag]}
          onChange={({ currentTarget }) => patch({ [flag]: currentTarget.checked })}
        />
      ))}
    </div>
  );
}

function Appearance(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  if (draft.silent) return null;
  return (
    <>
      <TemplateField
        label="Text of the notification, if it differs"
        description="The text of the message then goes only to the app."
        value={draft.alertText}
        error={problemAt('alertText')}
        onChange={(alertText) => patch({ alertText })}
      />
      <div className={classes.pair}>
        {TEXTS.map(({ field, label, placeholder }) => (
          <TextInput
            key={field}
            label={label}
            placeholder={placeholder}
            value={draft[field]}
            error={problemAt(field)}
            onChange={({ currentTarget }) => patch({ [field]: currentTarget.value })}
          />
        ))}
        <ColorInput
          label="Light (Android)"
          placeholder="#FF8800"
          format="hex"
          withEyeDropper={false}
          popoverProps={{ withinPortal: true }}
          value={draft.ledColor}
          error={problemAt('ledColor')}
          onChange={(ledColor) => patch({ ledColor })}
        />
      </div>
    </>
  );
}

function Data(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <Input.Wrapper>
      <JsonInput
        label="Data"
        description="JSON for the app."
        placeholder='{ "orderId": 8841 }'
        dir="ltr"
        formatOnBlur
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        value={draft.data}
        error={problemAt('data')}
        onChange={(data) => patch({ data })}
      />
    </Input.Wrapper>
  );
}

function FurtherFields(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  return (
    <Textarea
      label="Further fields"
      description="JSON with the names of the API, for fields that are not on this page. Fields that the API does not know reach the app."
      placeholder='{ "colour": "red" }'
      dir="ltr"
      autosize
      maxRows={16}
      spellCheck={false}
      value={draft.more}
      error={problemAt('more')}
      onChange={({ currentTarget }) => patch({ more: currentTarget.value })}
    />
  );
}

function usesMore(draft: MessageDraft): boolean {
  const texts = [draft.alertText, draft.data, draft.more, draft.trackId, draft.clientId, draft.ledColor];
  return (
    [...texts, ...TEXTS.map(({ field }) => draft[field])].some((text) => text !== '') ||
    FLAGS.some(({ flag }) => draft[flag])
  );
}
