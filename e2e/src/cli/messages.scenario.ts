import { join } from 'node:path';
import { type CommandLine, runIn } from './command-line';

/** Sending, and seeing what became of it. */
export function messagesScenario(cli: () => CommandLine): void {
  it('sends, and watches until the message is done', async () => {
    const sent = await cli().json(
      'send',
      '--user',
      'ada',
      '--content',
      'Tea?',
      '--title',
      'Hello',
      '--track-id',
      'tea',
    );
    expect(sent).toMatchObject({ count: 1, isReplay: false });
    const id: string = sent.messageIds[0];
    const watched = await cli().run('--json', 'messages', 'watch', id, '--interval', '50');
    const last = JSON.parse(watched.out.trim().split('\n').at(-1) ?? '') as object;
    expect(last).toMatchObject({ id, status: 'done', trackId: 'tea', totals: { sent: 1 } });
    const shown = await cli().run('messages', 'show', id);
    expect(shown.out).toContain(
      '[########################################] 100%  1 of 1 devices\nsent 1\nerrors: none',
    );
    expect((await cli().json<{ id: string }[]>('messages', 'list')).map((message) => message.id)).toContain(id);
    expect(await cli().run('messages', 'cancel', id)).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('(CONFLICT)'),
    });
  });

  it('sends what a file says, to a target, once under a key, and nothing in a dry run', async () => {
    const body = cli().file('body.json', JSON.stringify({ content: 'From a file', useAsAlert: true, ttl: 60 }));
    const words = ['send', '--target', '{"deviceType":"android"}', '--file', body];
    expect(await cli().json(...words, '--dry-run')).toMatchObject({ count: 1, byVendor: { fcm: 1 }, messageIds: [] });
    const first = await cli().json(...words, '--idempotency-key', 'k1');
    expect(await cli().json(...words, '--idempotency-key', 'k1')).toMatchObject({
      messageIds: first.messageIds,
      isReplay: true,
    });
    const piped = await runIn(cli().env, ['send', '--user', 'ada', '--file', '-'], '{"content":"Piped"}');
    expect(piped).toMatchObject({ exitCode: 0, out: expect.stringContaining('Sent to 1 device') });
  });

  it('previews, counts, and uploads promo codes', async () => {
    const preview = await cli().run('preview', '--user', 'ada', '--content', 'Hi {{ user.id }}');
    expect(preview.out).toMatch(/^USER +VENDOR +TITLE +TEXT.*\nada +fcm .*Hi ada/);
    const alone = await cli().run('preview', '--user', 'nobody', '--content', 'Hi');
    expect(alone).toMatchObject({ exitCode: 0, out: 'nobody has no device\n' });
    const both = await cli().run('preview', '--user', 'ada,nobody', '--content', 'Hi');
    expect(both.out).toMatch(/^USER .*\nada .*\nnobody has no device\n$/);
    expect(await cli().json('segments', 'count', '--target', '{"deviceType":"android"}')).toMatchObject({
      count: 1,
      devices: 1,
    });
    const codes = cli().file('codes.csv', 'A-1\nA-2\n');
    expect(await cli().json('promo', 'upload', codes, '--global')).toEqual({ promoSetId: 'shop', totalRows: 2 });
    expect(await cli().run('promo', 'upload', codes)).toMatchObject({ exitCode: 2 });
    expect(await cli().run('promo', 'upload', join(cli().folder, 'none.csv'), '--global')).toMatchObject({
      exitCode: 2,
    });
  });
}
