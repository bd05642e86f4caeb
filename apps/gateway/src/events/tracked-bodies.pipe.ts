import { Injectable, type PipeTransform } from '@nestjs/common';
import {
  MOST_TRACKED,
  Problems,
  readRequest,
  TrackRequest,
  trackingOf,
  type TrackingRequest,
} from '@postrider/contracts';

/** Reads the array of `trackBulk`. Nest's own pipe does not support arrays of classes. */
@Injectable()
export class TrackedBodies implements PipeTransform<unknown, TrackingRequest[]> {
  /** @throws InvalidRequest that names every bad field of every event */
  transform(body: unknown): TrackingRequest[] {
    const problems = new Problems(body);
    const events = Array.isArray(body) ? body : [];
    if (events.length === 0 || events.length > MOST_TRACKED) {
      problems.add('', `must be an array of 1 to ${MOST_TRACKED} events`);
      problems.throwIfAny();
    }
    const read = events.map((event: unknown, index) => {
      const { request, problems: found } = readRequest(TrackRequest, event, `[${index}]`);
      problems.addAll(found);
      return request;
    });
    problems.throwIfAny();
    return read.map(trackingOf);
  }
}
