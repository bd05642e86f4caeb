import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { FakeGateway } from '../testing/fake-gateway';
import { show } from '../testing/show';
import { keyOf, useApi } from './client';
import { useRead } from './reading';
import { useSave } from './use-save';

const LIST = '/api/trackers';

function Trackers(): ReactNode {
  const api = useApi();
  const { data } = useRead(LIST);
  const creating = useSave<string>({
    save: (name) => api.POST(LIST, { body: { name } }),
    changes: [keyOf('shop', LIST)],
  });
  return (
    <>
      <output>{`${data?.trackers.length} trackers, ${creating.error?.message ?? 'no error'}`}</output>
      {['Poster', 'Flyer'].map((name) => (
        <button key={name} onClick={() => creating.mutate(name)}>
          {name}
        </button>
      ))}
    </>
  );
}

describe('saving', () => {
  let gateway: FakeGateway;
  let trackers: { name: string }[];
  const created = (): unknown[] => gateway.askedFor('POST', LIST).map(({ body }) => body);

  beforeEach(() => {
    gateway = new FakeGateway();
    trackers = [];
    gateway.answer('GET', LIST, () => ({ trackers: trackers as never[], nextCursor: null }));
  });

  it('does once what a double click asks for, and other things beside it', async () => {
    gateway.answer('POST', LIST, () => new Promise(() => undefined));
    show(<Trackers />, { gateway });
    await screen.findByText('0 trackers, no error');
    for (const name of ['Poster', 'Poster', 'Flyer']) fireEvent.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(created()).toEqual([{ name: 'Poster' }, { name: 'Flyer' }]));
  });

  it('shows what was done although its answer was lost, and can be tried again', async () => {
    gateway.answerWith('POST', LIST, ({ body }) => {
      trackers.push(body as { name: string });
      return new Response('<html>Gateway timeout</html>', { status: 504 });
    });
    const { user } = show(<Trackers />, { gateway });
    await screen.findByText('0 trackers, no error');
    await user.click(screen.getByRole('button', { name: 'Poster' }));
    await screen.findByText(/^1 trackers, .* status 504$/);
    await user.click(screen.getByRole('button', { name: 'Poster' }));
    await screen.findByText(/^2 trackers/);
  });
});
