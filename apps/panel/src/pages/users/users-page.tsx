import type { ReactNode } from 'react';
import { Route, Switch } from 'wouter';
import { userOfPath } from '../../model/user-path';
import { UserList } from './user-list';
import { UserPage } from './user-page';

/** Users: found by the beginnings of their ids, and one of them with all that is known about them. */
export function UsersPage(): ReactNode {
  return (
    <Switch>
      <Route path="/users/*">
        <AddressedUser />
      </Route>
      <Route>
        <UserList />
      </Route>
    </Switch>
  );
}

/** The user of the present address, which is read as it stands: the router decodes it more than once. */
function AddressedUser(): ReactNode {
  const userId = userOfPath(window.location.pathname);
  return userId === null ? <UserList /> : <UserPage key={userId} userId={userId} />;
}
