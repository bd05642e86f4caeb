import type { RecordedDeliveries } from '../deliveries/record-deliveries';
import { divideOutcomes, packsOf } from './pack-outcomes';

const OUTCOMES: RecordedDeliveries = {
  deviceIds: ['1', '2', '3', '4'],
  states: ['sent', 'failed', 'sent', 'sent'],
  vendorMessageIds: ['m1', null, 'm3', null],
  errorCodes: [null, 'UNREGISTERED', null, null],
  reasons: [null, 'gone', null, null],
  times: [10, 20, 30, 40],
};

describe('the outcomes of a page', () => {
  it('are in packs of one language each, and as ever where there is none', () => {
    const sent = { ...OUTCOMES, deviceIds: ['4', '3', '2', '1'], languages: ['fa', null, 'fa', 'de'] };
    expect(packsOf(sent).map(({ deviceIds, language }) => [language, deviceIds])).toEqual([
      ['fa', [2, 4]],
      [null, [3]],
      ['de', [1]],
    ]);
    expect(packsOf({ ...OUTCOMES, deviceIds: sent.deviceIds })).toMatchObject([{ deviceIds: [1, 2, 3, 4] }]);
    expect(packsOf({ ...sent, languages: [null, null, null, null] })).toHaveLength(1);
    expect(divideOutcomes(sent, new Set(['2'])).packed).toMatchObject({
      deviceIds: ['4', '1'],
      languages: ['fa', 'de'],
    });
  });

  it('are packed when the device was sent to, and needs no row', () => {
    const { rows, packed } = divideOutcomes(OUTCOMES, new Set(['4']));
    expect(packed).toMatchObject({ deviceIds: ['1', '3'], vendorMessageIds: ['m1', 'm3'], times: [10, 30] });
    expect(rows).toMatchObject({ deviceIds: ['2', '4'], states: ['failed', 'sent'], times: [20, 40] });
  });

  it('are rows where they have something that packs do not know', () => {
    const promo = divideOutcomes({ ...OUTCOMES, promoCodes: ['SAVE10', null, null, null] }, new Set());
    expect(promo.rows).toMatchObject({ deviceIds: ['1', '2'], promoCodes: ['SAVE10', null] });
    const later = { ...OUTCOMES, laterColumn: [null, null, 'value', null], unusedColumn: undefined };
    expect(divideOutcomes(later, new Set())).toMatchObject({
      rows: { deviceIds: ['2', '3'], laterColumn: [null, 'value'] },
      packed: { deviceIds: ['1', '4'], laterColumn: [null, null] },
    });
  });
});
