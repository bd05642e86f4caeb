import { between, flag, free, list, map, object, type Shape, text, whole, word } from '../../shape/shape';

const DURATION = text(/^\d+(\.\d{1,9})?s$/, 'a duration such as "3600s"');
const TIMESTAMP = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/, 'an RFC 3339 time');
const LABEL = text(/^[\w\-.~%]{1,50}$/, 'an analytics label');
const TEXTS = list(text());

const COLOR = object({ alpha: between(0, 1), red: between(0, 1), green: between(0, 1), blue: between(0, 1) });

const LIGHT_SETTINGS = protoObject({ color: COLOR, light_on_duration: DURATION, light_off_duration: DURATION });

const ANDROID_NOTIFICATION = protoObject({
  title: text(),
  body: text(),
  icon: text(),
  color: text(/^#[0-9a-fA-F]{6}$/, 'a color such as "#rrggbb"'),
  sound: text(),
  tag: text(),
  image: text(),
  ticker: text(),
  sticky: flag,
  proxy: word('PROXY_UNSPECIFIED', 'ALLOW', 'DENY', 'IF_PRIORITY_LOWERED'),
  visibility: word('VISIBILITY_UNSPECIFIED', 'PRIVATE', 'PUBLIC', 'SECRET'),
  click_action: text(),
  channel_id: text(),
  event_time: TIMESTAMP,
  local_only: flag,
  default_sound: flag,
  default_vibrate_timings: flag,
  default_light_settings: flag,
  vibrate_timings: list(DURATION),
  notification_count: whole(),
  notification_priority: word(
    'PRIORITY_UNSPECIFIED',
    'PRIORITY_MIN',
    'PRIORITY_LOW',
    'PRIORITY_DEFAULT',
    'PRIORITY_HIGH',
    'PRIORITY_MAX',
  ),
  light_settings: LIGHT_SETTINGS,
  bypass_proxy_notification: flag,
  body_loc_key: text(),
  body_loc_args: TEXTS,
  title_loc_key: text(),
  title_loc_args: TEXTS,
});

const ANDROID = protoObject({
  ttl: DURATION,
  priority: word('NORMAL', 'HIGH'),
  data: map(text()),
  notification: ANDROID_NOTIFICATION,
  collapse_key: text(),
  restricted_package_name: text(),
  direct_boot_ok: flag,
  bandwidth_constrained_ok: flag,
  restricted_satellite_ok: flag,
  fcm_options: protoObject({ analytics_label: LABEL }),
});

const APNS = protoObject({
  headers: map(text()),
  payload: free,
  live_activity_token: text(),
  fcm_options: protoObject({ analytics_label: LABEL, image: text() }),
});

const WEBPUSH = protoObject({
  headers: map(text()),
  data: map(text()),
  notification: free,
  fcm_options: protoObject({ analytics_label: LABEL, link: text(/^https:\/\//, 'an https address') }),
});

/** The body of `messages:send` (FCM HTTP v1, revision 20260911): every field, in both of proto3 JSON's spellings. */
export const FCM_SEND_REQUEST: Shape = protoObject(
  {
    validate_only: flag,
    message: protoObject({
      token: text(),
      fid: text(),
      topic: text(/^[\w\-.~%]+$/, 'a topic name'),
      condition: text(),
      data: map(text()),
      notification: object({ title: text(), body: text(), image: text() }),
      android: ANDROID,
      apns: APNS,
      webpush: WEBPUSH,
      fcm_options: protoObject({ analytics_label: LABEL }),
    }),
  },
  ['message'],
);

/** proto3 JSON takes `field_name` and `fieldName` alike. */
function protoObject(fields: Record<string, Shape>, required: readonly string[] = []): Shape {
  const both = Object.entries(fields).flatMap(([name, shape]) => [
    [name, shape],
    [name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), shape],
  ]);
  return object(Object.fromEntries(both) as Record<string, Shape>, required);
}
