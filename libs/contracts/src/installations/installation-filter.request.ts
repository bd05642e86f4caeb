import { InvalidRequest } from '@postrider/domain';

/** How many installations one request may ask for. */
const MOST_INSTALLATIONS = 100;

/**
 * Reads `?filter={"where":{"id":{"inq":["…"]}}}` of `GET installations`.
 *
 * @returns the ids asked for
 * @throws InvalidRequest
 */
export function readInstallationFilter(filter: unknown): string[] {
  const ids = typeof filter === 'string' ? idsOf(filter) : null;
  if (ids === null || !Array.isArray(ids) || !ids.every((id): id is string => typeof id === 'string')) {
    throw new InvalidRequest([
      { path: 'filter', message: 'must be {"where":{"id":{"inq":["<installation id>", …]}}}' },
    ]);
  }
  if (ids.length > MOST_INSTALLATIONS) {
    const message = `must not name more than ${MOST_INSTALLATIONS} ids`;
    throw new InvalidRequest([{ path: 'filter.where.id.inq', message }]);
  }
  return ids;
}

function idsOf(filter: string): unknown {
  try {
    const read = JSON.parse(filter) as { where?: { id?: { inq?: unknown } } } | null;
    return read?.where?.id?.inq ?? null;
  } catch {
    return null;
  }
}
