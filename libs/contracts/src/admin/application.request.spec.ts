import type { JsonObject } from '@postrider/domain';
import { readRequest } from '../validation/read-request';
import { ApplicationChangesRequest, knownSettingsOf, NewApplicationRequest } from './application.request';

describe('the settings of an application in a request', () => {
  const problemsOf = (type: typeof NewApplicationRequest | typeof ApplicationChangesRequest, body: JsonObject) =>
    readRequest<object>(type, body).problems.map(({ path, message }) => `${path} ${message}`);

  it('are refused under its name if one is unknown: a misspelt setting would protect nobody', () => {
    const misspelt = { requireUserhash: true, 'quiet hours': null };
    const unknown = ['requireUserhash is not known', 'quiet hours is not known'];
    expect(problemsOf(NewApplicationRequest, { id: 'shop', name: 'Shop', ...misspelt })).toEqual(unknown);
    expect(problemsOf(ApplicationChangesRequest, misspelt)).toEqual(unknown);
    expect(problemsOf(ApplicationChangesRequest, { id: 'other' })).toEqual(['id cannot be changed']);
  });

  it('are taken if they are known, and have no further members', () => {
    const { request, problems } = readRequest(NewApplicationRequest, { id: 'shop', name: 'Shop', defaultRegion: 'de' });
    expect(problems).toEqual([]);
    expect({ ...request }).toEqual({ id: 'shop', name: 'Shop', defaultRegion: 'DE' });
  });

  it('have a region only if numbers of it can be read: without one, every SMS to a number of the country is lost', () => {
    const message = 'defaultRegion must be a region of two letters (ISO 3166) that has phone numbers, such as GB';
    for (const defaultRegion of ['UK', 'XX', 'xx', 'GBR', '', 49])
      expect(problemsOf(ApplicationChangesRequest, { defaultRegion })).toEqual([message]);
    for (const defaultRegion of ['GB', 'gb', 'IR', null])
      expect(problemsOf(ApplicationChangesRequest, { defaultRegion })).toEqual([]);
  });

  it('of an archive of a later version are those that this version knows', () => {
    expect(knownSettingsOf({ requireUserHash: true, ofLater: 1 })).toEqual({ requireUserHash: true });
  });
});
