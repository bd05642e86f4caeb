import type { VendorTrouble } from '@postrider/persistence';
import { errorsOf } from './call-trouble';
import type { Route } from './route';
import type { RouteFacts, RouteReports } from './route-reports.service';
import type { RoutesService } from './routes.service';

/** Has every route of this worker reported: how it is, when it is held, and when it works. */
export function reportRoutes(routes: RoutesService, reports: RouteReports): void {
  routes.listen({
    held: (route, why) => {
      route.trouble = { ...(route.trouble ?? NO_TROUBLE), troubledSince: route.lastError?.at ?? null };
      void reports.held(route, why, route.revision);
    },
    // An answer that blames a device ends the hold, but not the episode: only what the vendor takes does.
    resumed: (route) => reportWork(route, reports),
  });
  reports.addSource((now) =>
    routes.all().map((route) => {
      reportWork(route, reports);
      return factsOf(route, now);
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
  const isOver = trouble.troubledSince !== null && trouble.troubledSince.getTime() <= lastAcceptedAt;
  if (lastAcceptedAt === 0 || (isKnownToWork && !isOver)) return;
  route.trouble = { ...trouble, troubledSince: null, workedRevision: revision };
  void reports.works(route, revision);
}

function factsOf(route: Route, now: Date): RouteFacts {
  const { appId, vendor, breaker, inFlight, revision } = route;
  const openUntil = breaker.state === 'open' ? new Date(breaker.openUntil) : null;
  const errors = errorsOf(route.calls, route.lastError, now.getTime());
  return { appId, vendor, breaker: breaker.state, openUntil, inFlight, revision, ...errors };
}
