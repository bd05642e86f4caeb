import { isPersonal, namesPromoCode } from './template-variables';

describe('a personal text', () => {
  it('is told from a plain one', () => {
    expect([isPersonal('a { b }'), isPersonal('{{ a }}'), isPersonal('{% if a %}')]).toEqual([false, true, true]);
    expect([
      namesPromoCode('promoCode'),
      namesPromoCode('{{ promoCode }}'),
      namesPromoCode('{{ promoCodes }}'),
    ]).toEqual([false, true, false]);
  });
});
