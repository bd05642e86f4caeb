import fc from 'fast-check';
import { isTemplate } from './plain-template';
import { parseTemplate } from './template';
import { ADA, render, scopeOf, withDevice } from './testing/ada';

/** The errors of templates that would work too long, or on a text that is not a valid link. */
const OVER_BUDGET = /(takes|handles|writes|has lists nested) more than \d+|range whose bounds|URI malformed/;

describe('a template', () => {
  it.each([
    ['Hi {{ user.name }}!', 'Hi Ada Lovelace!'],
    ['{{ user.id }}, {{ user["id"] }}', 'ada, ada'],
    ['{{ user.nick | default: "friend" }}', 'friend'],
    ['{{ user.empty | default: "friend" }}', 'friend'],
    ['{{ user.city }}{{ user.nothing }}{{ nobody.there }}', ''],
    ['{{ user.isMember }} {{ user.isGuest }} {{ user.points }}', 'true false 1234.5'],
    ['{{ user.purchase.count }} {{ user["purchase.count"] }}', '3 3'],
    ['{% if user.purchase.count > 2 %}again{% else %}first{% endif %}', 'again'],
    ['{% assign user = "x" %}{{ user.purchase.count }}', ''],
    [
      '{{ device.deviceType }} {{ device.model }} {{ device.theme }} {{ device.clientVersion }}',
      'android Pixel 8 dark 2.3.1',
    ],
    ['{{ device.nested.a[1].b }}', '2'],
    ['{{ tags.plan }} {{ tags.vip }} {{ tags.none }}', 'gold true '],
    ['{% if tags contains "vip" %}VIP{% endif %}{% if tags.none %}no{% endif %}', 'VIP'],
    ['{{ tags.size }} {{ tags | join: "," }}', '5 vip,plan,slice,length,0'],
    ['{% for tag in tags limit: 2 offset: 1 %}<{{ tag }}>{% endfor %}', '<plan><slice>'],
    ['{{ message.id }} {{ message.trackId }} {{ message.channel }}', 'm1 spring public/default'],
    ['{{ promoCode }}', 'CODE-1'],
    ['{{ user.hobbies | join: ", " }} {{ user.hobbies.first }}', 'chess, maths chess'],
    ['{% case tags.plan %}{% when "gold", "silver" %}metal{% else %}none{% endcase %}', 'metal'],
    ['{% unless user.isGuest %}member{% endunless %}', 'member'],
    ['{% capture x %}{{ user.name | upcase }}{% endcapture %}{{ x | truncate: 6 }}', 'ADA...'],
    ['{% raw %}{{ user.name }}{% endraw %}', '{{ user.name }}'],
    ['a {%- comment -%} x {%- endcomment -%} b', 'ab'],
    ['{{ user.name | split: " " | last | downcase }}', 'lovelace'],
    ['{{ "<b>" | escape }}{{ 7 | times: 6 }}', '&lt;b&gt;42'],
    // Nobody gets a push that says Infinity or NaN.
    ['{{ 7 | divided_by: 0 }}/{{ 7 | divided_by: user.nothing }}/{{ 0 | modulo: 0 }}', '//'],
    ['{{ 7 | divided_by: 0 | default: "none" }} {{ 7 | divided_by: 2.0 }} {{ 7 | modulo: 4 }}', 'none 3.5 3'],
    ['{% liquid assign x = 2 | plus: 2\n echo x %}', '4'],
  ])('%s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it.each([
    ['{{ user.points | number }}', '1.234,5'],
    ['{{ user.points | number: 2 }}', '1.234,50'],
    ['{{ "1234.5" | currency: "EUR" }}', '1.234,50\u00a0€'],
    ['{{ 5 | currency: "XXZ" }}', '5,00\u00a0XXZ'],
    // A price of an unnamed currency must not become dollars.
    ['{{ 5 | currency: user.nothing }}/{{ 5 | currency: "EURO" }}/{{ 5 | currency }}', '5,00/5,00/5,00'],
    ['{{ 5 | currency: user.nothing, 1 }}', '5,0'],
    ['{{ 0.256 | percent: 1 }}', '25,6\u00a0%'],
    ['{{ user.name | number }}', 'Ada Lovelace'],
    ['{{ user.nothing | number | default: "none" }}', 'none'],
    ['{{ user.born | date: "%d. %B %Y (%A)" }}', '10. Dezember 1815 (Sonntag)'],
    ['{{ message.createdAt | date: "%Y-%m-%dT%H:%M:%S%z %:z %j %-d" }}', '2026-11-21T13:00:00+0100 +01:00 325 21'],
    ['{{ message.createdAt | date: "%H:%M", "America/New_York" }}', '07:00'],
    ['{{ message.createdAt | date: "long_date" }}', '21. November 2026'],
    ['{{ message.createdAt | date: "short_time" }}', '13:00'],
    ['{{ "now" | date: "%F %T.%L %s" }}', '2026-11-21 13:34:56.789 1795264496'],
    ['{{ 1795264496 | date: "%F" }} {{ 1795264496789 | date: "%R" }}', '2026-11-21 13:34'],
    ['{{ "tomorrow" | date: "%F" }}', 'tomorrow'],
    [
      '{{ message.createdAt | date: "%I:%M %p %P %e %y %C %u %w %U %W %% %Q %n" }}',
      '01:00 PM pm 21 26 20 6 6 46 46 % %Q \n',
    ],
    ['{{ "2026-11-21" | date: "%G-W%V-%u" }}', '2026-W47-6'],
    [
      '{{ "2027-01-01" | date: "%G-W%V %g %Y" }}, {{ "2024-12-30" | date: "%G-W%V %g" }}',
      '2026-W53 26 2027, 2025-W01 25',
    ],
    ['{{ "2021-01-03" | date: "%G-W%-V" }}, {{ "2018-01-01" | date: "%G-W%-V" }}', '2020-W53, 2018-W1'],
    ['{{ "now" | date: "%L %1L %6L %N %3N %12N" }}', '789 7 789000 789000000 789 789000000000'],
    ['{{ "2026-03-04" | date: "%v|%+" }}', ' 4-MÄR-2026|Mi Mär  4 00:00:00 UTC 2026'],
    ['{{ message.createdAt | date: "%#p %#B %^A %::z", "Asia/Kathmandu" }}', 'pm NOVEMBER SAMSTAG +05:45:00'],
  ])('writes as people do where the device is: %s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it.each([
    ['words', 'not a locale'],
    ['ten thousand letters', 'x'.repeat(10_000)],
    ['__proto__', '__proto__'],
    ['a path', 'de-u-nu-../../etc'],
    ['a NUL', '\0'],
    ['a place that is not there', 'zz-ZZ'],
  ])('takes whatever a device calls its locale and its time zone: %s', (_, nonsense) => {
    const person = withDevice({ locale: nonsense, timeZone: nonsense });
    expect(render('{{ user.points | number }} {{ message.createdAt | date: "%F %R %A" }}', person)).toBe(
      '1,234.5 2026-11-21 12:00 Saturday',
    );
  });

  it('writes dates of a locale with a calendar and digits of its own in them', () => {
    const person = withDevice({ locale: 'fa-IR', timeZone: 'Asia/Tehran' });
    expect(render('{{ message.createdAt | date: "long_date" }}', person)).toBe('۳۰ آبان ۱۴۰۵');
    expect(render('{{ message.createdAt | date: "%Y-%m-%d" }}', person)).toBe('2026-11-21');
  });

  it.each(['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati'])('writes a day as that day in %s', (timeZone) => {
    const person = withDevice({ locale: 'en-GB', timeZone });
    const text =
      '{{ user.born | date: "long_date" }}, {{ user.born | date: "%F %R" }}, {{ user.born | date: "%d", "Asia/Tokyo" }}';
    expect(render(text, person)).toBe('10 December 1815, 1815-12-10 00:00, 10');
  });

  it.each([
    '{{ user.constructor }}',
    '{{ user.__proto__ }}{{ user["__proto__"] }}{{ user.toString }}{{ user.hasOwnProperty }}',
    '{{ user.name.constructor }}{{ tags.constructor }}{{ tags.map }}{{ tags.push }}{{ tags["__proto__"] }}',
    '{{ constructor }}{{ __proto__ }}{{ toString }}{{ process }}{{ global }}{{ globalThis.process }}{{ require }}',
    '{% assign k = "constructor" %}{{ user[k] }}{{ user[k][k] }}',
    '{{ device.token }}{{ device.deviceToken }}{{ device.userHash }}',
    '{{ user }}{{ device }}{{ message }}',
    '{{ user.hobbies | map: "constructor" }}',
    '{{ promoCode.length.constructor }}',
  ])('shows nothing of the process, of prototypes or of secrets: %s', (text) => {
    expect(render(text)).toBe('');
  });

  it.each(
    [
      '{{ user.name',
      '{% if user.name %}',
      '{% endif %}',
      '{{ user.name | nofilter }}',
      '{% include "x" %}',
      '{% render "/etc/passwd" %}',
      '{% layout "x" %}',
      '{% block x %}{% endblock %}',
      '{% increment user %}',
      '{{ tags | where_exp: "x", "x" }}',
      '{{ tags | sample }}',
      '{% if true %}'.repeat(17) + '{% endif %}'.repeat(17),
      '{% if true %}'.repeat(1_200) + '{% endif %}'.repeat(1_200),
    ].map((text) => [text.slice(0, 60), text] as const),
  )('is refused: %s', (_, text) => {
    expect(() => parseTemplate(text)).toThrow();
  });

  const nested = (depth: number, inner: string): string =>
    `${'{% for a in (1..90) %}'.repeat(depth)}${inner}${'{% endfor %}'.repeat(depth)}`;
  it.each(
    [
      '{% for i in (1..100000000) %}{% endfor %}',
      `{% for i in (1..${'9'.repeat(300)}) %}{% endfor %}`,
      '{% for i in (-9007199254740991..9007199254740991) %}x{% endfor %}',
      '{% for i in (9000000..1) %}{% endfor %}{% for i in (1..9000000) %}{% endfor %}',
      nested(3, 'x'),
      nested(3, ''),
      nested(2, '{% if a == 1 and a == 2 or a == 3 and a == 4 %}x{% endif %}'),
      nested(2, `{% case a %}{% when ${'1,'.repeat(2_000)}1 %}{% endcase %}`),
      nested(2, `{{ a ${'| plus: 1'.repeat(1_000)} }}`),
      nested(1, `{{ "2026-01-01" | date: "${'%A'.repeat(100)}" }}`),
      nested(2, '{{ a | currency: "EUR", a }}'),
      nested(2, '{{ "now" | date: a }}'),
      `{% assign s = "x" %}${'{% assign s = s | append: s %}'.repeat(60)}{{ s }}`,
      `{% assign s = "xxxxxxxxxxxxxxxx" %}${'{% assign s = s | replace: "x", s %}'.repeat(60)}{{ s }}`,
      `{% assign s = "${'x,'.repeat(500)}" %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(60)}`,
      `{% assign l = "${'x,'.repeat(2_000)}" | split: "," %}${'{% assign l = l | concat: l %}'.repeat(60)}`,
      `{% assign l = "${'x,'.repeat(2_000)}" | split: "," %}${'{% if l == l %}{% endif %}'.repeat(300)}`,
      `{% assign l = "${'x,'.repeat(2_000)}" | split: "," %}${'{{ l | sort_natural | size }}'.repeat(300)}`,
      '{{ "x" | date: "%F" }}{% for i in (1..4000) %}{{ "xxxxxxxxxxxxxxxxxxxx" }}{% endfor %}',
      `{{ "2026-01-01" | date: "${'%99Y'.repeat(3_000)}" }}`,
      '{{ "%E0%A4%A" | url_decode }}',
      '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}',
      '{% for i in (-9007199254740994..-9007199254740992) %}x{% endfor %}',
      '{% assign low = 9007199254740991 | plus: 1 %}{% assign high = low | plus: 2 %}{{ (low..high) | size }}',
      `{% assign end = ${'9'.repeat(400)} %}{% assign l = (1..end) %}`,
      `{% assign end = 0 | minus: ${'9'.repeat(400)} %}{% if l == (end..1) %}{% endif %}`,
      '{% case (1..9007199254740992) %}{% when 1 %}{% endcase %}',
      '{% for i in (1..3) limit: (9007199254740992..9007199254740994) %}x{% endfor %}',
      '{% cycle (9007199254740992..9007199254740994) %}',
      '{{ 1 | default: (1..2) | concat: (9007199254740992..9007199254740994) }}',
      '{{ tags[(9007199254740992..9007199254740994)] }}',
      '{% for i in (1.5..3) %}x{% endfor %}',
      '{{ (1..40000) | size }}',
      `{% assign l = tags %}${'{% assign l = l | push: l %}'.repeat(60)}{{ l }}`,
      `{% assign l = tags %}${'{% assign l = l | push: l %}'.repeat(60)}{{ l | join }}`,
      `{% assign l = tags %}${'{% assign l = l | push: l %}'.repeat(60)}{% if l < l %}x{% endif %}`,
      `{% assign l = tags %}${'{% assign l = l | push: l %}'.repeat(60)}{% case l %}{% when l %}x{% endcase %}`,
      `{% assign s = "${'x'.repeat(4_000)}" %}{% assign l = (1..5000) %}{{ l | sort: s | size }}`,
      `{% assign s = "${'x'.repeat(8_000)}" %}{% assign l = "" | split: "," %}${'{% assign l = l | push: s %}'.repeat(200)}{{ l }}`,
    ].map((text) => [text.slice(0, 60), text] as const),
  )('that would work too long fails instead: %s', (_, text) => {
    const template = parseTemplate(text);
    const scope = scopeOf();
    // The budget ends it: without one, this would take longer than anybody waits.
    expect(() => template.render(scope)).toThrow(OVER_BUDGET);
  });

  it('makes no range of what is no number', () => {
    expect(render('{% for i in (1..user.nothing) %}x{% endfor %}{% for i in (1..user.name) %}x{% endfor %}')).toBe('');
    expect(render('{% assign to = "3" %}{% for i in (1..to) %}{{ i }}{% endfor %}{{ (2..4) | join: "-" }}')).toBe(
      '1232-3-4',
    );
  });

  it('takes the price of time zones: each costs as much as it takes to look it up', () => {
    const zones = (count: number): string =>
      Intl.supportedValuesOf('timeZone')
        .slice(0, count)
        .map((zone) => `{{ "now" | date: "%R %A", "${zone}" }}`)
        .join('');
    expect(render(zones(4))).toContain('Samstag');
    expect(() => render(zones(12))).toThrow('steps');
    expect(render('{{ "now" | date: "%R", "Asia/Tokyo" }}'.repeat(50))).toHaveLength(250);
  });

  it('never gives half a character or a NUL', () => {
    expect(render('{{ "a😀" | split: "" | last }}|{{ "\\u0000" | append: "x" }}')).toBe('�|�x');
  });

  it('says which variables have no value', () => {
    const scope = scopeOf(ADA, true);
    parseTemplate('{{ user.nick }} {{ user.name }} {{ user.city }}').render(scope);
    parseTemplate('{% if devce.model %}{% endif %}{{ user.purchase.sum }}').render(scope);
    expect([...scope.missing!]).toEqual(['user.nick', 'devce.model', 'user.purchase.sum']);
  });

  it('misses no variable for which the text gives a default, and each of the others', () => {
    const missing = (text: string): string[] => {
      const scope = scopeOf(ADA, true);
      parseTemplate(text).render(scope);
      return [...scope.missing!];
    };
    expect(missing('{{ user.nick | default: "you" }}')).toEqual([]);
    expect(missing('{{ user.nick | capitalize | default: "you" }}{% if user.name %}{% endif %}')).toEqual([]);
    expect(missing('{% assign nick = user.nick | default: "you" %}{{ nick }}')).toEqual([]);
    expect(missing('{{ user.nick | default: user.pet }}')).toEqual(['user.pet']);
    expect(missing('{{ user.nick | default: "you" }} {{ user.nick }}')).toEqual(['user.nick']);
  });

  it('names what it needs, and not what it sets itself', () => {
    const globals = (text: string): string[] => [...parseTemplate(text).globals].sort();
    expect(globals('{{ "x" | append: promoCode }}{% if user.a %}{{ tags.b }}{% endif %}')).toEqual([
      'promoCode',
      'tags',
      'user',
    ]);
    expect(globals('{% assign promoCode = "x" %}{{ promoCode }}')).toEqual([]);
    expect(globals('{{ user.promoCode }} promoCode {{ "promoCode" }}')).toEqual(['user']);
    expect(globals('{{ ["promoCode"] }}')).toEqual(['promoCode']);
    expect(globals('{{ message.createdAt | date: "%F" }}')).toEqual(['device', 'message']);
  });
});

it('a text without marks is no template', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(isTemplate(text)).toBe(text.includes('{{') || text.includes('{%'));
    }),
  );
});
