import { Injectable } from '@nestjs/common';
import { type Executor, rows } from '../database/executor';
import { parameter, sql } from '../sql';

/** A value that a field has on some of the inspected devices. */
interface FieldValue {
  value: string | number | boolean;
  devices: number;
}

/** A field that rules can be about, as a rule names it, with its most frequent values. */
interface KnownField {
  name: string;
  /** On how many of the inspected devices it has a value. */
  devices: number;
  values: FieldValue[];
}

/** How many devices are inspected, and how much of the result is returned. */
interface FieldsRead {
  devices: number;
  fields: number;
  values: number;
}

/** Fields whose values identify nobody. Values of other fields are shown only if several devices have them. */
const OF_NOBODY = ['deviceType', 'osVersion', 'clientVersion', 'tags'];

/** Rules with these names are about built-in fields, whatever attributes a device has. */
const BUILT_IN = [...OF_NOBODY, 'installDate', 'launchTime', 'launchCount', 'nearBy', 'online'];

/** Longer values are texts, which nobody chooses from a list. */
const LONGEST_VALUE = 100;

/** The fields and values that the newest devices of an application have. */
@Injectable()
export class SegmentFieldsRepository {
  /** @returns the fields, those that most devices have first; and how many devices were inspected */
  async find(executor: Executor, app: string, read: FieldsRead): Promise<{ devices: number; fields: KnownField[] }> {
    const appId = parameter(app);
    const found = await rows<{ looked: number } & (KnownField | { name: null })>(
      executor,
      sql`WITH looked AS MATERIALIZED (
          SELECT i.device_type, i.os_version, i.client_version, i.tags, i.tag_values,
            coalesce(u.attributes, '{}') || i.attributes AS attributes
          FROM (
            SELECT * FROM installations WHERE app_id = ${appId} ORDER BY id DESC LIMIT ${read.devices}
          ) i LEFT JOIN users u ON u.app_id = ${appId} AND u.user_id = i.user_id
        ), held AS (
          SELECT 'deviceType' AS name, to_jsonb(device_type) AS value FROM looked
          UNION ALL SELECT 'osVersion', to_jsonb(os_version) FROM looked
          UNION ALL SELECT 'clientVersion', to_jsonb(client_version) FROM looked
          UNION ALL SELECT 'tags', to_jsonb(tag) FROM looked CROSS JOIN LATERAL unnest(tags) AS tag
          UNION ALL SELECT 'tags.' || one.key, one.value FROM looked CROSS JOIN LATERAL jsonb_each(tag_values) AS one
          UNION ALL SELECT one.key, one.value FROM looked CROSS JOIN LATERAL jsonb_each(attributes) AS one
            WHERE one.key <> ALL (${BUILT_IN}::text[]) AND NOT starts_with(one.key, 'tags.')
        ), counted AS (
          SELECT name, value, count(*)::int AS devices,
            row_number() OVER (PARTITION BY name ORDER BY count(*) DESC, value) AS place
          FROM held WHERE jsonb_typeof(value) IN ('string', 'number', 'boolean') GROUP BY name, value
        ), fields AS (
          -- A device has one value of a field, and any number of tags.
          SELECT name, CASE WHEN name = 'tags' THEN (SELECT count(*) FROM looked WHERE cardinality(tags) > 0)
              ELSE sum(devices) END::int AS devices,
            coalesce(jsonb_agg(jsonb_build_object('value', value, 'devices', devices) ORDER BY place) FILTER (
              WHERE place <= ${read.values} AND length(value::text) <= ${LONGEST_VALUE}
                AND (devices > 1 OR name = ANY (${OF_NOBODY}::text[]))
            ), '[]') AS values
          FROM counted GROUP BY name ORDER BY devices DESC, name LIMIT ${read.fields}
        )
        SELECT (SELECT count(*)::int FROM looked) AS looked, fields.* FROM (SELECT 1) one LEFT JOIN fields ON true`,
    );
    const fields = found.filter((row): row is { looked: number } & KnownField => row.name !== null);
    return {
      devices: found[0]?.looked ?? 0,
      fields: fields.map(({ name, devices, values }) => ({ name, devices, values })),
    };
  }
}
