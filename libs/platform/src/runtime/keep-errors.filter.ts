import { Catch, type ExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Hands a handler's error to the transport as it was thrown. Nest's own filter would log it and put "Internal server error"
 * in its place; the transport logs the true one, once, with the job's ids. A filter on a processor or method goes first.
 */
@Catch()
export class KeepErrorsFilter implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
