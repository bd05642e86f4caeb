import { Inject, Injectable } from '@nestjs/common';
import {
  ApplicationsRepository,
  type Database,
  DATABASE,
  type MessageKey,
  type MessageFacts,
  MessagesRepository,
  PersonFactsRepository,
  type StoredUserFacts,
} from '@postrider/persistence';
import { PromoCodeClaims } from '@postrider/promo';

/** The facts that personal SMS are made of: their message, their users, and promo codes. */
@Injectable()
export class FallbackFacts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly messages: MessagesRepository,
    private readonly applications: ApplicationsRepository,
    private readonly facts: PersonFactsRepository,
    private readonly promoCodes: PromoCodeClaims,
  ) {}

  /** Returns the message, or null if it is gone. */
  findMessage({ appId, messageId }: MessageKey): Promise<MessageFacts | null> {
    return this.messages.findFacts(this.database, appId, messageId);
  }

  /** Returns the stored facts of these users, by their ids. */
  findUsers(appId: string, userIds: string[]): Promise<Map<string, StoredUserFacts>> {
    return this.facts.findOfUsers(appId, userIds);
  }

  /** Returns a promo code for each of these users, if there are enough; the same codes however often it is called. */
  claimCodes(claim: Parameters<PromoCodeClaims['claim']>[0]): ReturnType<PromoCodeClaims['claim']> {
    return this.promoCodes.claim(claim);
  }

  /** True if users for whom no promo code is left get nothing. */
  async skipsWithoutCode(appId: string): Promise<boolean> {
    return (await this.applications.find(this.database, appId))?.promoExhausted === 'skip';
  }
}
