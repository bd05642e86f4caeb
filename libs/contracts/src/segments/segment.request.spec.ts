import { readRequest } from '../validation/read-request';
import { CountGroupRequest, ExplainGroupRequest, SegmentRequest } from './segment.request';

const rule = { name: 'launchTime', operator: 'after', value: '7d' };
const pathsOf = (
  type: typeof SegmentRequest | typeof CountGroupRequest | typeof ExplainGroupRequest,
  body: object,
): string[] => readRequest<object>(type, body).problems.map(({ path }) => path);

describe('rules in a request', () => {
  it('are a target or a segment; one that is bad is not said to be missing as well', () => {
    expect(readRequest(SegmentRequest, { name: 'n' }).problems).toEqual([
      { path: 'target', message: 'is required, or segment' },
    ]);
    expect(pathsOf(SegmentRequest, { name: 'n', target: null, segment: null })).toEqual(['target']);
    expect(pathsOf(SegmentRequest, { name: 'n', segment: 5 })).toEqual(['segment']);
    expect(pathsOf(SegmentRequest, { name: 'n', target: [] })).toEqual(['target']);
    expect(pathsOf(SegmentRequest, { name: 'n', target: { deviceType: 'ios' } })).toEqual([]);
  });

  it('lose what is null in their groups, and keep it in their values', () => {
    const segment = {
      all: [
        { ...rule, value: null },
        { any: null, none: [rule] },
      ],
      any: null,
      id: null,
    };
    const { request } = readRequest(SegmentRequest, { name: 'n', segment });
    expect(request.segment).toEqual({ all: [{ ...rule, value: null }, { none: [rule] }] });
  });

  it('are asked about in the usual channel, without their users', () => {
    const { request } = readRequest(CountGroupRequest, { target: { deviceType: 'ios' } });
    expect(request).toEqual({ target: { deviceType: 'ios' }, channel: 'public/default', users: false });
  });

  it('are explained for a user or for a device', () => {
    const body = { target: { deviceType: 'ios' }, userId: 'ada', installationId: 'i' };
    expect(pathsOf(ExplainGroupRequest, body)).toEqual(['installationId']);
    expect(pathsOf(ExplainGroupRequest, { ...body, userId: null })).toEqual([]);
  });
});
