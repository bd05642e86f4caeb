/** Nest injection token of the `Clock`. */
export const CLOCK = Symbol('Clock');
