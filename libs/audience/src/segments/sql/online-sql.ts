import { edgeIsAlive } from '@postrider/persistence';

/** SQL over alias `i`: whether a connection of the device is open, on an edge that is alive. */
export const IS_ONLINE = `EXISTS (SELECT FROM presence p JOIN edges e ON e.edge_id = p.edge_id
    WHERE p.app_id = i.app_id AND p.id = i.id AND ${edgeIsAlive('e')})`;
