import { isJsonObject } from '@postrider/domain';
import { fieldOf } from '../validation/field';
import type { ListReading } from '../validation/reading';

/** How many installations one request may ask for. */
const MOST_INSTALLATIONS = 100;

/** The query of `GET installations`. */
export class InstallationsQuery {
  /** The requested ids. */
  @IsInstallationFilter() filter!: string[];
}

/** `{"where":{"id":{"inq":["…"]}}}` as text, in the form of the device's client. */
function IsInstallationFilter(): PropertyDecorator {
  return fieldOf({
    name: 'isInstallationFilter',
    read: readFilter,
    schema: {
      type: 'string',
      minLength: 2,
      description: `JSON that names at most ${MOST_INSTALLATIONS} installations`,
      example: '{"where":{"id":{"inq":["01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d"]}}}',
    },
  });
}

function readFilter(filter: unknown): ListReading<string[]> {
  const ids = typeof filter === 'string' ? idsOf(filter) : null;
  if (!Array.isArray(ids) || !ids.every((id): id is string => typeof id === 'string')) {
    return { problem: 'must be {"where":{"id":{"inq":["<installation id>", …]}}}' };
  }
  if (ids.length <= MOST_INSTALLATIONS) return { value: ids };
  return { problems: [{ path: '.where.id.inq', message: `must not name more than ${MOST_INSTALLATIONS} ids` }] };
}

function idsOf(filter: string): unknown {
  try {
    return ['where', 'id', 'inq'].reduce<unknown>(
      (value, name) => (isJsonObject(value) ? value[name] : null),
      JSON.parse(filter),
    );
  } catch {
    return null;
  }
}
