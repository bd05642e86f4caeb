import { useSimulator } from '../../testing/use-simulator';

describe('SMS providers, as simulated', () => {
  const simulator = useSimulator();

  describe('Twilio', () => {
    async function send(
      form: Record<string, string>,
      password?: string,
    ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
      const { accountSid, authToken } = simulator.credentials.sms;
      const authorization = `Basic ${Buffer.from(`${accountSid}:${password ?? authToken}`).toString('base64')}`;
      const answer = await simulator.client.postForm(`/2010-04-01/Accounts/${accountSid}/Messages.json`, form, {
        authorization,
      });
      return { status: answer.status, body: JSON.parse(answer.body) };
    }
    const GOOD = { To: '+14155552345', From: '+15005550006', Body: 'Hello' };

    it('accepts a message', async () => {
      const { status, body } = await send(GOOD);
      expect([status, body.status, body.to]).toEqual([201, 'queued', GOOD.To]);
      expect(body.sid).toMatch(/^SM[0-9a-f]{32}$/);
      expect(simulator.controls.messages()).toEqual([
        expect.objectContaining({ vendor: 'twilio', token: GOOD.To, body: 'Hello', vendorMessageId: body.sid }),
      ]);
    });

    it.each([
      ['a number that is none', { ...GOOD, To: '0912' }, 21211],
      ['no sender', { To: GOOD.To, Body: 'x' }, 21603],
      ['an empty sender', { ...GOOD, From: '' }, 21603],
      ['an empty messaging service', { To: GOOD.To, Body: 'x', MessagingServiceSid: '' }, 21603],
      ['no text', { To: GOOD.To, From: GOOD.From }, 21602],
      ['a text of 1601 characters', { ...GOOD, Body: 'x'.repeat(1_601) }, 21617],
      ['a validity of eleven hours', { ...GOOD, ValidityPeriod: '36001' }, 21621],
      ['the number kept for opted-out people', { ...GOOD, To: '+15005550004' }, 21610],
      ['the number kept for landlines', { ...GOOD, To: '+15005550009' }, 21614],
    ])('refuses %s', async (_name, form, code) => {
      expect(await send(form)).toMatchObject({ status: 400, body: { code, status: 400 } });
    });

    it('shows the account, by which its credentials are checked', async () => {
      const { accountSid, authToken } = simulator.credentials.sms;
      const ask = (password: string): Promise<{ status: number; body: string }> =>
        simulator.client.request({
          ':path': `/2010-04-01/Accounts/${accountSid}.json`,
          authorization: `Basic ${Buffer.from(`${accountSid}:${password}`).toString('base64')}`,
        });
      const shown = await ask(authToken);
      expect([shown.status, JSON.parse(shown.body)]).toEqual([200, expect.objectContaining({ sid: accountSid })]);
      expect((await ask('wrong')).status).toBe(401);
      expect(simulator.controls.messages()).toEqual([]);
    });

    it('refuses a wrong password, and is busy on demand', async () => {
      expect(await send(GOOD, 'wrong')).toMatchObject({ status: 401, body: { code: 20003 } });
      simulator.controls.setFaults([{ vendor: 'twilio', fault: { kind: 'status', http: 429 } }]);
      expect(await send(GOOD)).toMatchObject({ status: 429, body: { code: 20429 } });
    });
  });

  describe('Kavenegar', () => {
    async function send(
      form: Record<string, string>,
      key?: string,
    ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
      const answer = await simulator.client.postForm(
        `/v1/${key ?? simulator.credentials.kavenegar.apiKey}/sms/send.json`,
        form,
      );
      return { status: answer.status, body: JSON.parse(answer.body) };
    }
    const GOOD = { receptor: '09123456789,09123456780', message: 'سلام', sender: '10004346' };

    it('shows the account, by which a key is checked', async () => {
      const ask = async (key: string): Promise<number> =>
        (await simulator.client.request({ ':path': `/v1/${key}/account/info.json` })).status;
      expect([await ask(simulator.credentials.kavenegar.apiKey), await ask('wrong')]).toEqual([200, 403]);
      expect(simulator.controls.messages()).toEqual([]);
    });

    it('accepts a message for several people', async () => {
      const { status, body } = await send(GOOD);
      expect([status, body.return.status]).toEqual([200, 200]);
      expect(body.entries).toEqual([
        expect.objectContaining({ receptor: '09123456789', status: 1, messageid: expect.any(Number) }),
        expect.objectContaining({ receptor: '09123456780', status: 1 }),
      ]);
      expect(simulator.controls.stats().kavenegar).toMatchObject({ accepted: 2 });
    });

    it.each([
      ['a key that is none', GOOD, 'nonsense', 403],
      ['nobody', { message: 'x' }, undefined, 406],
      ['no text', { receptor: '09123456789' }, undefined, 413],
      ['a number that is none', { receptor: '12', message: 'x' }, undefined, 411],
      ['201 people', { receptor: Array(201).fill('09123456789').join(','), message: 'x' }, undefined, 414],
    ])('refuses %s', async (_name, form, key, code) => {
      expect(await send(form, key)).toMatchObject({ status: code, body: { return: { status: code }, entries: null } });
    });

    it('has no credit on demand', async () => {
      simulator.controls.setFaults([{ vendor: 'kavenegar', fault: { kind: 'status', http: 418, code: '418' } }]);
      expect(await send(GOOD)).toMatchObject({ status: 418, body: { return: { status: 418 } } });
    });
  });

  it('a gateway of no special make takes JSON and forms, over HTTP/1.1 too', async () => {
    expect((await simulator.client.postForm('/sms', { to: '+98', text: 'form' })).status).toBe(200);
    expect((await simulator.client.post('/sms', { to: '+98' })).status).toBe(400);
    const { request } = await import('node:https');
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const call = request(
        `${simulator.running.origin}/sms`,
        { method: 'POST', ca: simulator.running.ca, headers },
        (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        },
      );
      call.on('error', reject).end('{"to":"+98","text":"old"}');
    });
    expect(status).toBe(200);
    expect(simulator.controls.messages().map(({ body }) => body)).toEqual(['old', 'form']);
  });
});
