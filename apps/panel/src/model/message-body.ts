import type {
  MessageContentResponse,
  NotificationActionResponse,
  SendToUsersRequest,
} from '@postrider/server/document';
import type { ActionDraft } from './message-draft';

/** The body of a message, without whom it goes to. */
export type MessageBody = Partial<Omit<MessageContentResponse, 'fallback'>> &
  Pick<SendToUsersRequest, 'channel' | 'ttl' | 'rate' | 'sendAt' | 'fallback'> & {
    localTime?: boolean;
    ignoreQuietHours?: boolean;
  };

/** A button as the API takes it. */
export function actionOf({ id, title, url, icon, options }: ActionDraft): NotificationActionResponse {
  return withoutEmpty({
    id: id.trim() || title.trim(),
    title,
    url: url.trim(),
    icon: icon.trim(),
    options: options || undefined,
  });
}

/** What is '', false or undefined says nothing that leaving it out does not say. */
export function withoutEmpty<Body extends object>(body: Body): Partial<Body> {
  const said = Object.entries(body).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  return Object.fromEntries(said) as Partial<Body>;
}
