import { between, flag, free, list, map, object, type Shape, text, whole, word } from '../../shape/shape';

const DURATION = text(/^(\d+|\d+[sS]|\d+\.\d{1,9}|\d+\.\d{1,9}[sS])$/, 'a duration such as "3.5s"');
const HTTPS = text(/^https:\/\//, 'an https address');
const COLOR = object({ alpha: between(0, 1), red: between(0, 1), green: between(0, 1), blue: between(0, 1) });

const BUTTON = object(
  {
    name: text(/^.{1,40}$/su, '40 characters at most'),
    action_type: word(0, 1, 2, 3, 4),
    intent_type: word(0, 1),
    intent: text(),
    data: text(/^.{0,1024}$/su, '1024 characters at most'),
  },
  ['name', 'action_type'],
);

const ANDROID_NOTIFICATION = object(
  {
    title: text(),
    body: text(),
    icon: text(),
    color: text(/^#[0-9A-Fa-f]{6}$/, 'a color such as "#rrggbb"'),
    sound: text(),
    default_sound: flag,
    tag: text(),
    click_action: object({ type: word(1, 2, 3), intent: text(), url: HTTPS, action: text() }, ['type']),
    body_loc_key: text(),
    body_loc_args: list(text()),
    title_loc_key: text(),
    title_loc_args: list(text()),
    multi_lang_key: free,
    channel_id: text(),
    notify_summary: text(),
    image: HTTPS,
    style: word(0, 1, 3),
    big_title: text(),
    big_body: text(),
    notify_id: whole(),
    group: text(),
    badge: object({ add_num: whole(1, 99), class: text(), set_num: whole(0, 99) }),
    ticker: text(),
    when: text(),
    importance: word('LOW', 'NORMAL'),
    use_default_vibrate: flag,
    use_default_light: flag,
    vibrate_config: list(DURATION, 10),
    visibility: word('VISIBILITY_UNSPECIFIED', 'PUBLIC', 'SECRET', 'PRIVATE'),
    light_settings: object({ color: COLOR, light_on_duration: DURATION, light_off_duration: DURATION }, [
      'color',
      'light_on_duration',
      'light_off_duration',
    ]),
    foreground_show: flag,
    profile_id: text(/^.{0,64}$/su, '64 characters at most'),
    inbox_content: list(text(), 5),
    buttons: list(BUTTON, 3),
  },
  ['click_action'],
);

const ANDROID = object({
  bi_tag: text(),
  category: word(
    'IM',
    'VOIP',
    'SUBSCRIPTION',
    'TRAVEL',
    'HEALTH',
    'WORK',
    'ACCOUNT',
    'EXPRESS',
    'FINANCE',
    'DEVICE_REMINDER',
    'MAIL',
    'PLAY_VOICE',
    'MARKETING',
  ),
  collapse_key: whole(-1, 100),
  data: text(),
  fast_app_target: word(1, 2),
  notification: ANDROID_NOTIFICATION,
  receipt_id: text(),
  target_user_type: word(0, 1),
  ttl: text(/^\d+[sS]?$/, 'a duration such as "86400s"'),
  urgency: word('HIGH', 'NORMAL'),
});

/** The body of Huawei Push Kit's `messages:send`, v1 and v2. */
export const HMS_SEND_REQUEST: Shape = object(
  {
    validate_only: flag,
    review: list(map(text())),
    message: object({
      data: text(),
      notification: object({ title: text(), body: text(), image: HTTPS }, ['title', 'body']),
      android: ANDROID,
      apns: free,
      webpush: free,
      token: list(text()),
      topic: text(),
      condition: text(),
    }),
  },
  ['message'],
);
