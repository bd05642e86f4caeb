/** Every TypeORM entity: the tables whose rows are read and written one at a time. Sets go through `*.query.ts`. */
export const ENTITIES: (abstract new () => object)[] = [];
