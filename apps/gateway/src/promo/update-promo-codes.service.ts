import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedPromoUploadResponse, PromoUploadResponse } from '@postrider/contracts';
import { type Clock, DomainError, InvalidRequest } from '@postrider/domain';
import {
  GLOBAL_TRACK_ID,
  type PromoSet,
  type PromoSetKey,
  PromoSetsRepository,
  PromoUploadsRepository,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, Shutdown } from '@postrider/platform';
import { tooLarge } from '../http/uploads';
import { readFilePart } from './file-part';
import { promoSetIdOf } from './promo-sets.service';
import { StorePromoFile } from './store-promo-file.service';

/** The most bytes that a form adds to its file. */
const FORM_BYTES = 65_536;
const FIRST_LOOK_MS = 20;
const LONGEST_PAUSE_MS = 250;
const RETRY_AFTER_SECONDS = 30;

/** The answer to an upload: it is in force, or its import goes on. */
export type UpdateOutcome =
  { kind: 'in_force'; answer: PromoUploadResponse } | { kind: 'accepted'; answer: AcceptedPromoUploadResponse };

/** Whose codes an upload replaces, and true if it is answered as soon as the file has arrived. */
export interface AskedUpload {
  /** Null: for the application's global set. */
  trackId: string | null;
  isAsync: boolean;
}

/** Replaces the promo codes of a campaign or of a whole application. */
@Injectable()
export class UpdatePromoCodes {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'maxUploadBytes' | 'promoWaitSeconds'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly shutdown: Shutdown,
    private readonly storePromoFile: StorePromoFile,
    private readonly uploads: PromoUploadsRepository,
    private readonly sets: PromoSetsRepository,
  ) {}

  /**
   * Stores the file, and waits until it is in force or refused. An unknown campaign, and a file whose declared size is
   * too large, are refused unread.
   *
   * @returns `accepted` if the caller does not want to wait, or it took longer than the limit
   * @throws InvalidRequest naming the bad line, DomainError
   */
  async update(appId: string, { trackId, isAsync }: AskedUpload, request: IncomingMessage): Promise<UpdateOutcome> {
    const { maxUploadBytes } = this.config;
    if (trackId !== null && !(await this.uploads.isKnownCampaign(appId, trackId))) throw unknownCampaign();
    if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes + FORM_BYTES) throw tooLarge(maxUploadBytes);
    const content = readFilePart(request.headers, request);
    const set = await this.storePromoFile.store({ appId, trackId: trackId ?? GLOBAL_TRACK_ID, content });
    const promoSetId = trackId === null ? appId : set.setId;
    const accepted = { kind: 'accepted' as const, answer: { jobId: set.setId, promoSetId } };
    if (isAsync) return accepted;
    // There is no traffic on the connection meanwhile, and it must not be closed for that.
    request.socket.setTimeout(0);
    return (await this.#untilOver(set, request)) ?? accepted;
  }

  /** @returns null if the caller has waited for long enough */
  async #untilOver(key: PromoSetKey, { socket }: IncomingMessage): Promise<UpdateOutcome | null> {
    const deadline = this.clock.now().getTime() + this.config.promoWaitSeconds * 1_000;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 1.25, LONGEST_PAUSE_MS)) {
      await pause(pauseMs, undefined, { signal: this.shutdown.signal }).catch(() => undefined);
      const set = await this.sets.find(key);
      if (set === null)
        throw new DomainError(
          'UNAVAILABLE',
          'The upload was removed before its codes were in force; upload the file again',
        );
      const outcome = outcomeOf(set);
      if (outcome) return outcome;
      if (socket.destroyed || this.shutdown.isShuttingDown || this.clock.now().getTime() >= deadline) return null;
    }
  }
}

/** @returns null while the import goes on @throws InvalidRequest, DomainError if it failed */
function outcomeOf(set: PromoSet): UpdateOutcome | null {
  if (set.state === 'failed') throw failureOf(set);
  if (set.state !== 'in_force' && set.state !== 'replaced') return null;
  return { kind: 'in_force', answer: { promoSetId: promoSetIdOf(set), totalRows: set.total ?? 0 } };
}

function failureOf({ failure, reason }: PromoSet): DomainError {
  if (failure === 'file') return new InvalidRequest([{ path: 'file', message: reason ?? 'cannot be read' }]);
  return new DomainError('UNAVAILABLE', 'The codes could not be imported; the former codes stay in force', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** The name and the message of this error are fixed, because callers of the REST interface rely on them. */
function unknownCampaign(): DomainError {
  return new DomainError('NOT_FOUND', 'Invalid userPush id', { name: 'Error' });
}
