import type { Notification } from '@postrider/domain';

const IMAGE_TYPE = /^(image|picture|photo|jpe?g|png|gif|webp|bmp)(\/|$)/i;
const IMAGE_PATH = /\.(jpe?g|png|gif|webp|bmp)$/i;

/** The notification's medium when it is a picture: said by `mediaType`, else by the ending of the link's path. */
export function imageUrl(notification: Notification | undefined): string | undefined {
  const { mediaType, mediaUrl } = notification ?? {};
  if (mediaUrl === undefined) return undefined;
  if (mediaType !== undefined) return IMAGE_TYPE.test(mediaType) ? mediaUrl : undefined;
  return URL.canParse(mediaUrl) && IMAGE_PATH.test(new URL(mediaUrl).pathname) ? mediaUrl : undefined;
}
