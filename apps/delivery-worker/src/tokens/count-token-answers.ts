import {
  type DeviceId,
  isSuspiciousJump,
  NEW_TOKEN_WATCH,
  normalDeadShare,
  roundedShare,
  type TokenWatch,
  watchTokens,
} from '@postrider/domain';
import {
  type CountedTokenAnswers,
  type DeadToken,
  type DeadTokensRepository,
  type Executor,
  type KnownTokenAnswers,
  type VendorKey,
} from '@postrider/persistence';
import type { TokenAnswerLog } from './token-answers';

/** The repositories that write the answers, in the caller's transaction. */
interface TokenWriter {
  executor: Executor;
  deadTokens: DeadTokensRepository;
}

/** The result of counting answers. */
interface CountedAnswers {
  /** Tokens that were not noted as dead before. */
  noted: number;
  /** Tokens that were called dead before and that were accepted now. */
  takenBack: number;
  /** A quarantine that began with these answers: the number of its tokens, and the shares that were compared. */
  begun: { count: number; share: number; normalShare: number } | null;
  isQuarantined: boolean;
}

/**
 * Counts a vendor's answers about tokens, for all workers: notes dead tokens, which are switched off at `dueAt`; takes
 * back the note of tokens that were accepted; and begins a quarantine if unusually many tokens are called dead. Runs in
 * the caller's transaction.
 * @param areKnownDead true if any tokens are noted as dead, so that accepted tokens are looked up among them
 * @returns null if the application no longer exists
 */
export async function countTokenAnswers(
  { executor, deadTokens }: TokenWriter,
  key: VendorKey,
  log: TokenAnswerLog,
  { now, dueAt, areKnownDead }: { now: Date; dueAt: Date; areKnownDead: boolean },
): Promise<CountedAnswers | null> {
  const known = await deadTokens.lockWatch(executor, key, now);
  if (known === null) return null;
  const takenBack = areKnownDead ? await deadTokens.takeBack(executor, key, log.accepted) : 0;
  const noted = await noteAll({ executor, deadTokens }, key, log, now, dueAt);
  // A token that was called dead before is not new: each token counts once.
  const news = new Set(noted);
  const followed = new AnswersFollowed(known, log.silentAccepted, now);
  for (const step of log.steps) {
    if (typeof step === 'number') followed.accepted(step);
    else if (news.delete(step.deviceId)) followed.dead(step);
  }
  const { watch, counted, suspicion } = followed;
  await deadTokens.saveWatch(executor, key, watch, counted, now);
  const count = suspicion && (await deadTokens.beginQuarantine(executor, key, suspicion, now));
  const begun = suspicion && count !== null ? { count, ...suspicion } : null;
  return { noted: noted.length, takenBack, begun, isQuarantined: known.isQuarantined || begun !== null };
}

async function noteAll(
  { executor, deadTokens }: TokenWriter,
  key: VendorKey,
  { steps }: TokenAnswerLog,
  now: Date,
  dueAt: Date,
): Promise<DeviceId[]> {
  const byDevice = new Map<DeviceId, DeadToken>();
  for (const step of steps) if (typeof step !== 'number') byDevice.set(step.deviceId, step);
  return byDevice.size === 0 ? [] : deadTokens.note(executor, key, [...byDevice.values()], now, dueAt);
}

/** Adds answers one by one to the watch, beginning with its stored state. */
class AnswersFollowed {
  readonly counted: CountedTokenAnswers;
  watch: TokenWatch;
  suspicion: { share: number; normalShare: number } | null = null;
  readonly #normalShare: number;
  /** During a quarantine, or if the operator believes the vendor, nothing is suspicious. */
  readonly #isWatched: boolean;

  constructor(
    private readonly known: KnownTokenAnswers,
    silentAccepted: number,
    now: Date,
  ) {
    this.counted = { answers: 0, dead: 0, silentAnswers: silentAccepted, silentDead: 0 };
    this.#normalShare = normalDeadShare(known.before);
    this.#isWatched = !known.isQuarantined && (known.trustedUntil?.getTime() ?? 0) <= now.getTime();
    this.watch = this.#isWatched ? known.watch : NEW_TOKEN_WATCH;
  }

  accepted(count: number): void {
    this.counted.answers += count;
    this.#follow(false, count);
  }

  dead({ isSilent }: DeadToken): void {
    if (isSilent) {
      this.counted.silentAnswers += 1;
      this.counted.silentDead += 1;
      return;
    }
    this.counted.answers += 1;
    this.counted.dead += 1;
    this.#follow(true, 1);
  }

  #follow(isDead: boolean, count: number): void {
    if (!this.#isWatched) return;
    this.watch = watchTokens(this.watch, isDead, count, this.#normalShare);
    if (!isSuspiciousJump(this.watch, this.known.known + this.counted.answers, this.#normalShare)) return;
    const share = roundedShare(this.watch.dead / this.watch.answers);
    this.suspicion = { share, normalShare: roundedShare(this.#normalShare) };
  }
}
