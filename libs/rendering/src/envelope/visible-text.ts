import type { MessageContent } from '@postrider/domain';
import type { RenderableApplication } from '../renderable';

/** What a person reads. */
export interface VisibleText {
  title: string;
  body: string;
}

/** True if nothing is shown: `silent`, or `contentAvailable` without a text of its own. */
export function isSilent({ silent, content, alertText, notification }: MessageContent): boolean {
  if (silent) return true;
  const hasText = isSet(content) || isSet(alertText) || isSet(notification?.body);
  return notification?.contentAvailable === true && !hasText;
}

/** The notification's title and text: the first source that is set. */
export function visibleText(fields: MessageContent, application: RenderableApplication): VisibleText {
  const { notification, alertText, content, useAsAlert } = fields;
  const alert = useAsAlert ? content : undefined;
  return {
    title: [notification?.title].find(isSet) ?? application.name,
    body: [notification?.body, alertText, alert].find(isSet) ?? application.defaultAlertText,
  };
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
