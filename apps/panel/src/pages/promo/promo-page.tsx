import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { PromoSetPage } from './promo-set-page';
import { PromoSets } from './promo-sets';

/** Promo codes: what was uploaded, and who was given which. */
export function PromoPage(): ReactNode {
  return (
    <Switch>
      <Route path="/promo/:id">{({ id }) => <PromoSetPage key={id} id={id} />}</Route>
      <Route>
        <PromoSets />
      </Route>
    </Switch>
  );
}
