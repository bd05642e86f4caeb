import { Injectable } from '@nestjs/common';
import { DomainError } from '@postrider/domain';
import { ErasuresRepository, isBeingErased } from '@postrider/persistence';
import { Batcher } from '@postrider/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsOf } from '../../auth/caller';
import { takesUpload } from '../../auth/endpoint-access.decorator';

const LOOK_AFTER_MS = 250;
/**
 * How often a request looks whether the erasure has ended, at most. An erasure that takes longer has very much to erase,
 * and a caller should not wait for it.
 */
const LOOKS = 40;
const RETRY_SECONDS = 5;

/**
 * Lets requests wait that failed because they would write for a user who is being erased. No part of them was carried
 * out: their handler is called again when the erasure has ended. Until then they do nothing, and one statement looks for
 * all that wait. If each tried again instead, the erasure would wait for a connection behind all of them, at each of its
 * steps.
 */
@Injectable()
export class BeginAgain {
  readonly #inForce: Batcher<string, readonly string[]>;

  constructor(erasures: ErasuresRepository) {
    const work = async (appIds: string[]): Promise<(readonly string[])[]> => {
      const found = await erasures.findInForce([...new Set(appIds)]);
      return appIds.map((appId) => found.filter((one) => one.appId === appId).map(({ erasureId }) => erasureId));
    };
    this.#inForce = new Batcher({ work, apartMs: LOOK_AFTER_MS / 5 });
  }

  /**
   * It is not one of Nest's interceptors, which would cost every other request a twelfth of its time. The body of an
   * upload can be read only once: the caller sends it again.
   *
   * @param fail answers with an error, if the erasure takes too long
   * @returns the error to answer with; null if the handler is called again, or `fail`
   */
  after(request: FastifyRequest, reply: FastifyReply, error: unknown, fail: (error: unknown) => void): unknown {
    if (!isBeingErased(error) || reply.sent) return error;
    if (takesUpload(request)) return beingErased();
    // Nest waits for the end of the answer once for each call.
    reply.raw.setMaxListeners(0);
    void this.#erasureEnded(request).then(
      (hasEnded) => {
        if (reply.raw.destroyed) return;
        // The handler sends the answer itself, also if it fails.
        if (!hasEnded) fail(beingErased());
        else void request.routeOptions.handler.call(request.server, request, reply);
      },
      (failed: unknown) => fail(failed),
    );
    return null;
  }

  /**
   * Resolves when the erasures of the request's application that are in force now have ended. The error does not say
   * which of them it was.
   *
   * @returns false if they take too long
   */
  async #erasureEnded(request: FastifyRequest): Promise<boolean> {
    const { appId = '' } = factsOf(request);
    let awaited: readonly string[] | null = null;
    while (mayLook(request)) {
      await new Promise((later) => setTimeout(later, LOOK_AFTER_MS).unref());
      const inForce: readonly string[] = await this.#inForce.add(appId);
      awaited = awaited === null ? inForce : awaited.filter((erasureId) => inForce.includes(erasureId));
      if (awaited.length === 0) return true;
    }
    return false;
  }
}

/** Counts the looks of all calls of a request's handler. */
function mayLook(request: FastifyRequest): boolean {
  const facts = factsOf(request);
  facts.looks = (facts.looks ?? 0) + 1;
  return facts.looks <= LOOKS;
}

function beingErased(): DomainError {
  return new DomainError('UNAVAILABLE', 'A user of this request is being erased; send it again', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
