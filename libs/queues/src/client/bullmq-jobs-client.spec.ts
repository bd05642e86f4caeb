import { attemptPage, editTags, pageJob } from '../jobs';
import { bullOptionsOf } from './bullmq-jobs-client';

const page = { appId: 'shop', messageId: 'm1', pageId: 'p1', lane: 'campaign' } as const;

describe('the options of a job', () => {
  it('follow its definition, and leave no trace of it when it ended', () => {
    expect(bullOptionsOf(attemptPage.fcm, page)).toEqual({
      jobId: 'page-p1',
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    });
  });

  it('may differ for one job', () => {
    const options = bullOptionsOf(attemptPage.fcm, page, { delayMs: 12.3, id: 'mine' });
    expect(options).toMatchObject({ jobId: 'mine', delay: 13 });
  });

  it('name a priority only of a job that goes behind others', () => {
    expect(bullOptionsOf(editTags, { appId: 'shop', jobId: 'j1' })).toMatchObject({ jobId: 'tags-j1', priority: 10 });
    expect(bullOptionsOf(attemptPage.fcm, page)).not.toHaveProperty('priority');
  });

  it('are for a queue of their own where the page is of a campaign', () => {
    expect(pageJob('fcm', 'transactional').queue).toBe('delivery.fcm');
    expect(pageJob('fcm', 'campaign').queue).toBe('delivery.fcm.campaign');
  });

  it.each(['', 'a:b'])('refuse the id "%s"', (id) => {
    expect(() => bullOptionsOf(attemptPage.fcm, page, { id })).toThrow(TypeError);
  });
});
