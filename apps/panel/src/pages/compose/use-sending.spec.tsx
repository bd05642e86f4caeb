import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useMemo, useState } from 'react';
import { newMessage } from '../../model/message-draft';
import { requestsOf } from '../../model/message-requests';
import { type Asked, FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { useSending } from './use-sending';

const PATH = '/api/push/toUsers';
const sent = jest.fn();

function Page(): ReactNode {
  const requests = useMemo(
    () =>
      requestsOf({
        ...newMessage('draft-1'),
        content: 'Hello',
        audience: { ...newMessage('').audience, kind: 'everyone' },
      }),
    [],
  );
  const { preview, movedFrom, error, press } = useSending(requests, sent, () => Promise.resolve(null));
  return (
    <>
      <output>{`now ${preview?.count}, before ${movedFrom}, error ${error?.message}`}</output>
      <button onClick={press}>Send</button>
    </>
  );
}

/** A message to the users of one of two files, which differ in one user. */
function PageOfFiles(): ReactNode {
  const [other, setOther] = useState('user 40');
  const requests = useMemo(() => {
    const users = Array.from({ length: 200 }, (_, n) => (n === 40 ? other : `user ${n}`));
    const audience = { ...newMessage('').audience, kind: 'file' as const };
    return requestsOf({ ...newMessage('draft-1'), content: 'Hello', audience }, users);
  }, [other]);
  const { preview } = useSending(requests, sent, () => Promise.resolve(null));
  return (
    <>
      <output>{`now ${preview?.count}`}</output>
      <button onClick={() => setOther('somebody else')}>Other file</button>
    </>
  );
}

const isDryRun = ({ query }: Asked): boolean => query.dryRun === 'true';

describe('sending a draft', () => {
  let gateway: FakeGateway;
  let devices: number;
  const sends = (): Asked[] => gateway.askedFor('POST', PATH).filter((asked) => !isDryRun(asked));
  const expected = (): unknown[] => sends().map(({ body }) => (body as { expectedCount: number }).expectedCount);
  const untilShown = (text: string): Promise<HTMLElement> => screen.findByText(text);

  beforeEach(() => {
    gateway = new FakeGateway();
    devices = 1_000;
    gateway.answer('POST', PATH, () => ({ count: devices, byVendor: { fcm: devices }, sample: [] }));
    sent.mockClear();
  });

  it('counts again by itself, as soon as the gateway can be reached, and says until then why it could not', async () => {
    jest.useFakeTimers();
    const pass = (seconds: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(seconds * 1_000));
    try {
      gateway.refuse('POST', PATH, 503, { message: 'No database' });
      show(<Page />, { gateway });
      await pass(1);
      screen.getByText('now undefined, before null, error No database');
      await pass(10);
      screen.getByText('now undefined, before null, error No database');
      gateway.answer('POST', PATH, () => ({ count: devices, byVendor: { fcm: devices }, sample: [] }));
      await pass(10);
      screen.getByText('now 1000, before null, error undefined');
    } finally {
      jest.useRealTimers();
    }
  });

  it('asks for the number of devices that is shown, and counts no second time', async () => {
    const { user } = show(<Page />, { gateway });
    await untilShown('now 1000, before null, error undefined');
    await user.click(screen.getByRole('button'));
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
    expect(expected()).toEqual([1_000]);
    expect(gateway.askedFor('POST', PATH).filter(isDryRun)).toHaveLength(1);
  });

  it('is one request for a double click', async () => {
    show(<Page />, { gateway });
    await untilShown('now 1000, before null, error undefined');
    const button = screen.getByRole('button');
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(sent).toHaveBeenCalled());
    expect(sends()).toHaveLength(1);
  });

  it('counts the users of another file, however little it differs', async () => {
    const { user } = show(<PageOfFiles />, { gateway });
    await untilShown('now 1000');
    devices = 999;
    await user.click(screen.getByRole('button'));
    await untilShown('now 999');
  });

  it('shows the new number when the audience changed, and sends to it when asked again', async () => {
    const { user } = show(<Page />, { gateway });
    await untilShown('now 1000, before null, error undefined');
    devices = 1_200;
    let isFirst = true;
    gateway.answerWith('POST', PATH, (asked) => {
      if (isDryRun(asked) || !isFirst) return Response.json({ count: devices, byVendor: {}, sample: [] });
      isFirst = false;
      return Response.json(
        { error: { message: 'Changed', code: 'AUDIENCE_CHANGED', count: devices } },
        { status: 409 },
      );
    });
    await user.click(screen.getByRole('button'));
    await untilShown('now 1200, before 1000, error undefined');
    expect(sent).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button'));
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
    expect(expected()).toEqual([1_000, 1_200]);
  });

  it('tries again with the same body after a request without an answer, so that the idempotency key is good', async () => {
    const { user } = show(<Page />, { gateway });
    await untilShown('now 1000, before null, error undefined');
    let isFirst = true;
    gateway.answerWith('POST', PATH, (asked) => {
      if (isDryRun(asked) || !isFirst) return Response.json({ count: 1_000, byVendor: {}, sample: [] });
      isFirst = false;
      return Response.json({ error: { message: 'Unavailable' } }, { status: 503 });
    });
    await user.click(screen.getByRole('button'));
    await untilShown('now 1000, before null, error Unavailable');
    await user.click(screen.getByRole('button'));
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
    expect(sends()[0]?.body).toEqual(sends()[1]?.body);
  });
});
