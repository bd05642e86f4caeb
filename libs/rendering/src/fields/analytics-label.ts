const LABEL = /^[A-Za-z0-9\-_.~%]{1,50}$/;

/** A track id where a vendor's statistics take one: only what their alphabet allows; it is in the data in any case. */
export function analyticsLabel(trackId: string | undefined): string | undefined {
  return trackId !== undefined && LABEL.test(trackId) ? trackId : undefined;
}
