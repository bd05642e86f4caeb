import type { MessageContent } from '@postrider/domain';
import type { Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { trackerBase } from './tracker-address';

/** Notes in messages whose links are tracked where the tracker is reached: those who send them know no request. */
export function nameLinkBase(
  { messages }: { messages: readonly { content: MessageContent }[] },
  config: Pick<Config, 'trackerUrl' | 'publicUrl'>,
  request: FastifyRequest,
): void {
  for (const { content } of messages) if (content.trackLinks === true) content.linkBase = trackerBase(config, request);
}
