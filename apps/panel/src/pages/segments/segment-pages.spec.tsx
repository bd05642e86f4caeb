import { screen } from '@testing-library/react';
import { FakeGateway } from '../../testing/fake-gateway';
import { show } from '../../testing/show';
import { SavedSegment } from './segment-pages';

const AT = '2026-11-22T10:00:00.000Z';
const SEGMENT = '/api/segments/{id}';

describe('the page of a segment', () => {
  it('keeps what was written when the segment cannot be read again', async () => {
    const gateway = new FakeGateway();
    const segment = { all: [{ name: 'deviceType', operator: 'equal_to' as const, value: 'ios' }] };
    gateway.answer('GET', SEGMENT, { id: 's-1', name: 'Apple', segment, createdAt: AT, updatedAt: AT, size: null });
    gateway.answer('GET', `${SEGMENT}/sizes`, { id: 's-1', sizes: [] });
    gateway.answer('GET', '/api/segments/fields', { devices: 1, fields: [] });
    gateway.answer('POST', '/api/segments/count', { count: 1, devices: 1, tookMs: 1 });
    const { user, readAgain } = show(<SavedSegment id="s-1" />, { gateway });
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.type(name, ' phones');
    gateway.refuse('GET', SEGMENT, 404, { message: 'There is no such segment' });
    await readAgain();
    expect(gateway.asked.filter(({ path }) => path.endsWith('/segments/s-1'))).toHaveLength(2);
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Apple phones');
  });
});
