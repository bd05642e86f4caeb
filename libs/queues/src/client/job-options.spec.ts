import { attemptPage } from '../jobs/attempt-page.job';
import { bullOptionsOf } from './job-options';

const page = { appId: 'shop', messageId: 'm1', pageId: 'p1', lane: 'campaign' } as const;

describe('the options of a job', () => {
  it('follow its definition, and leave no trace of it when it ended', () => {
    expect(bullOptionsOf(attemptPage.fcm, page)).toEqual({
      jobId: 'page-p1',
      priority: 10,
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    });
  });

  it('may differ for one job', () => {
    const options = bullOptionsOf(attemptPage.fcm, page, { delayMs: 12.3, id: 'mine' });
    expect(options).toMatchObject({ jobId: 'mine', delay: 13 });
  });

  it('name no priority when the job goes first', () => {
    expect(bullOptionsOf(attemptPage.fcm, { ...page, lane: 'transactional' })).not.toHaveProperty('priority');
  });

  it.each(['', 'a:b'])('refuse the id "%s"', (id) => {
    expect(() => bullOptionsOf(attemptPage.fcm, page, { id })).toThrow(TypeError);
  });
});
