/** What follows the end of a page: whether its own job comes again, and when. */
export type PageEnd = { kind: 'finished' } | { kind: 'lost' } | { kind: 'waits'; delayMs: number };
