import type { ArgumentMetadata, Type } from '@nestjs/common';
import {
  AttemptPageJob,
  EditTagsJob,
  ImportPromoSetJob,
  ResolveMessageJob,
  SendFallbacksJob,
  SendWebhookEventsJob,
} from './job-payloads';
import { JobValidation, UnfitJob } from './job-validation.pipe';

const ID = '0199f000-0000-7000-8000-000000000001';
const PAGE = { appId: 'shop', messageId: ID, pageId: ID, lane: 'campaign' };

describe('the payload of a job', () => {
  const pipe = new JobValidation();
  const read = (metatype: Type, payload: unknown): Promise<unknown> =>
    pipe.transform(payload, { type: 'body', metatype } as ArgumentMetadata) as Promise<unknown>;
  const pathsOf = async (metatype: Type, payload: unknown): Promise<string[]> => {
    const error: unknown = await read(metatype, payload).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnfitJob);
    return (error as UnfitJob).problems.map(({ path }) => path);
  };

  it.each<[Type, object]>([
    [AttemptPageJob, PAGE],
    [AttemptPageJob, { ...PAGE, further: [`${ID} ${ID}`] }],
    [ResolveMessageJob, { appId: 'shop', messageId: ID }],
    [ResolveMessageJob, { appId: 'shop', messageId: ID, further: [ID, ID] }],
    [EditTagsJob, { appId: 'shop', jobId: ID }],
    [ImportPromoSetJob, { appId: 'shop', setId: ID }],
    [SendFallbacksJob, { appId: 'shop', messageId: ID }],
    [SendWebhookEventsJob, { appId: 'shop', webhookId: ID }],
  ])('reads %p as its class', async (type, payload) => {
    const read_ = await read(type, { ...payload, ofANewerVersion: 1 });
    expect(read_).toBeInstanceOf(type);
    expect(JSON.parse(JSON.stringify(read_))).toEqual(payload);
  });

  it('is refused with every field that does not fit', async () => {
    const bad = { appId: '', messageId: 'x', pageId: 5, lane: 'direct' };
    expect(await pathsOf(AttemptPageJob, bad)).toEqual(['appId', 'messageId', 'pageId', 'lane']);
    expect(await pathsOf(ResolveMessageJob, { appId: 'shop', messageId: ID, further: [ID, 'x'] })).toEqual([
      'further[1]',
    ]);
    const further = [`${ID} ${ID}`, ID, `${ID} x`, `${ID} ${ID} ${ID}`, ` ${ID} ${ID}`];
    expect(await pathsOf(AttemptPageJob, { ...PAGE, further })).toEqual([1, 2, 3, 4].map((n) => `further[${n}]`));
    for (const payload of [null, undefined, [], {}]) {
      expect(await pathsOf(SendFallbacksJob, payload)).toEqual(['appId', 'messageId']);
    }
    for (const payload of ['x', 5]) expect((await pathsOf(SendFallbacksJob, payload)).length).toBeGreaterThan(0);
    await expect(read(SendFallbacksJob, { appId: 'shop' })).rejects.toThrow(
      'The job does not fit: messageId is required',
    );
  });
});
