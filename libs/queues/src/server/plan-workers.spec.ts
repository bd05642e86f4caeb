import { JOBS, QUEUES, routeOf } from '../jobs';
import { planWorkers } from './plan-workers';

const audience = JOBS.filter((job) => job.queue === 'audience').map((job) => ({ route: routeOf(job) }));
const vendors = JOBS.filter((job) => job.queue.startsWith('delivery.')).map((job) => ({ route: routeOf(job) }));

describe('the registry', () => {
  it('knows the queue of every job, a job for every queue, and no job twice', () => {
    expect(new Set(JOBS.map((job) => job.queue))).toEqual(new Set(QUEUES));
    expect(new Set(JOBS.map(routeOf)).size).toBe(JOBS.length);
  });
});

describe('the workers of a process', () => {
  it('are one for each queue that it has handlers for', () => {
    expect(planWorkers(audience, JOBS)).toEqual([{ queue: 'audience', concurrency: 1 }]);
  });

  it('work as much at once as the process wishes, else as their handlers say', () => {
    const handlers = vendors.map((handler) => ({ ...handler, concurrency: 2 }));
    const owns = QUEUES.filter((queue) => queue.startsWith('delivery.'));
    expect(planWorkers(handlers, JOBS, { owns, concurrency: { 'delivery.fcm': 4 } }).slice(0, 2)).toEqual([
      { queue: 'delivery.fcm', concurrency: 4 },
      { queue: 'delivery.apns', concurrency: 2 },
    ]);
    expect(planWorkers(handlers, JOBS, { owns, concurrency: 7 }).every(({ concurrency }) => concurrency === 7)).toBe(
      true,
    );
  });

  it('do not start when a handler is for a job that nobody enqueues', () => {
    expect(() => planWorkers([{ route: 'audience/resolve-mesage' }], JOBS)).toThrow(
      'no job "audience/resolve-mesage" in the registry',
    );
  });

  it('do not start when a job would have two handlers', () => {
    const route = 'audience/resolve-message';
    expect(() => planWorkers([{ route }, { route }], JOBS)).toThrow('two handlers for "audience/resolve-message"');
  });

  it('do not start when jobs of an owned queue would wait for ever', () => {
    expect(() => planWorkers([], JOBS, { owns: ['audience', 'delivery.fcm'] })).toThrow(
      'no handler for "audience/resolve-message"; no handler for "audience/edit-tags"; no handler for "audience/import-devices"; no handler for "delivery.fcm/attempt-page"',
    );
  });

  it('do not start when a handler is for a queue of another process', () => {
    const handlers = [{ route: 'audience/resolve-message' }, { route: 'delivery.fcm/attempt-page' }];
    expect(() => planWorkers(handlers, JOBS, { owns: ['audience'] })).toThrow('does not own');
  });

  it('are none for the queues that it leaves to other processes of its app', () => {
    const handlers = [{ route: 'delivery.fcm/attempt-page' }, { route: 'delivery.fcm.campaign/attempt-page' }];
    expect(planWorkers(handlers, JOBS, { leaves: ['delivery.fcm'] })).toEqual([
      { queue: 'delivery.fcm.campaign', concurrency: 1 },
    ]);
  });

  it('do not start for nothing', () => {
    expect(() => planWorkers([], JOBS)).toThrow('no queue to work on');
  });
});
