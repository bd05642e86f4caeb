import { Inject, Injectable } from '@nestjs/common';
import type { MessageResponse } from '@postrider/contracts';
import { type Clock, DomainError, InvalidRequest, isUuid } from '@postrider/domain';
import {
  CampaignTestsRepository,
  type Database,
  DATABASE,
  type ListedMessage,
  MessagesRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { ReadMessages, unknownMessage } from './read-messages.service';

/** Chooses the winner among a campaign's variants by hand, before its figures do. */
@Injectable()
export class ChooseWinnerByHand {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly messages: MessagesRepository,
    private readonly tests: CampaignTestsRepository,
    private readonly readMessages: ReadMessages,
  ) {}

  /**
   * Users who wait for the winner get it from now on.
   *
   * @throws DomainError NOT_FOUND; InvalidRequest for a variant that the campaign does not have; CONFLICT if there is
   * nothing to choose (any more)
   */
  async choose(appId: string, id: string, variant: string): Promise<MessageResponse> {
    const message = isUuid(id) ? await this.messages.findListed(this.database, appId, id) : null;
    if (!message?.isCampaign) throw unknownMessage();
    check(message, variant);
    const isChosen = await this.tests.decide({ appId, messageId: id }, { variant, by: 'caller' }, this.clock.now());
    if (!isChosen) {
      const now = (await this.messages.findListed(this.database, appId, id)) ?? message;
      if (now.winnerVariant === null) check(now, variant);
      throw new DomainError('CONFLICT', whyNot(now));
    }
    return this.readMessages.find(appId, id, 'campaign');
  }
}

function check({ content: { variants, winner } }: ListedMessage, variant: string): void {
  if (variants === undefined || winner === undefined) {
    throw new DomainError('CONFLICT', 'The campaign has no winner to choose');
  }
  if (variants.some(({ name }) => name === variant)) return;
  const names = variants.map(({ name }) => name).join(', ');
  throw new InvalidRequest([{ path: 'variant', message: `must be one of the variants: ${names}` }]);
}

function whyNot({ winnerVariant, status }: ListedMessage): string {
  if (winnerVariant !== null) return `The winner was chosen before: ${winnerVariant}`;
  return status === 'cancelled' ? 'The campaign was cancelled' : 'The campaign has expired';
}
