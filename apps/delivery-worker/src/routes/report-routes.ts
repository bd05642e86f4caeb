import type { VendorTrouble } from '@postrider/persistence';
import type { Route } from './route';
import type { RouteFacts, RouteReports } from './route-reports.service';
import type { RoutesService } from './routes.service';

/** Has every route of this worker reported: how it is, when it is held, and when it works. */
export function reportRoutes(routes: RoutesService, reports: RouteReports): void {
  routes.listen({
    held: (route, why) => void reports.held(route, why, route.revision),
    resumed: (route) => void reports.works(route, route.revision),
  });
  reports.watch(() =>
    routes.all().map((route) => {
      reportWork(route, reports);
      return factsOf(route);
    }),
  );
}

const NO_TROUBLE: VendorTrouble = {
  troubledSince: null,
  retryAskedAt: null,
  trustedUntil: null,
  hasDeadTokens: false,
  workedRevision: null,
};

/** What a vendor took tells all workers that the credentials are good and that no trouble from before is left. */
function reportWork(route: Route, reports: RouteReports): void {
  const { lastAcceptedAt, revision } = route;
  const trouble = route.trouble ?? NO_TROUBLE;
  const isKnownToWork = trouble.workedRevision === revision;
  const isOver = trouble.troubledSince !== null && trouble.troubledSince.getTime() < lastAcceptedAt;
  if (lastAcceptedAt === 0 || (isKnownToWork && !isOver)) return;
  route.trouble = { ...trouble, troubledSince: null, workedRevision: revision };
  void reports.works(route, revision);
}

function factsOf({ appId, vendor, breaker, inFlight, revision, lastError }: Route): RouteFacts {
  const openUntil = breaker.state === 'open' ? new Date(breaker.openUntil) : null;
  const last = lastError && { ...lastError, reason: lastError.reason.replaceAll('\0', '').slice(0, 500) };
  return { appId, vendor, breaker: breaker.state, openUntil, inFlight, revision, lastError: last };
}
