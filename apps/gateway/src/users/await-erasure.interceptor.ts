import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { DomainError } from '@postrider/domain';
import { isBeingErased } from '@postrider/persistence';
import { type Observable, retry, throwError, timer } from 'rxjs';

const AGAIN_AFTER_MS = 250;
/** An erasure that takes longer has very much to erase; a caller should not wait for it. */
const TIMES = 40;
const RETRY_SECONDS = 5;

/**
 * Makes requests wait that would write for a user who is being erased. Nothing of them was carried out, so they start
 * again.
 */
@Injectable()
export class AwaitErasure implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      retry({
        delay: (error: unknown, times) => {
          if (!isBeingErased(error)) return throwError(() => error);
          return times < TIMES ? timer(AGAIN_AFTER_MS) : throwError(() => beingErased());
        },
      }),
    );
  }
}

function beingErased(): DomainError {
  return new DomainError('UNAVAILABLE', 'A user of this request is being erased; nothing was done', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
