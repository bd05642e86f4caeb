import fc from 'fast-check';
import { readPath } from './http-sms.sender';
import { bodyFormatOf, SmsTemplate } from './sms-template';

const values = { to: '+98912', text: 'a "b"\n& c', id: 'i' };

describe("a provider's body", () => {
  it('becomes the same JSON for any text, however it is quoted', () => {
    const template = new SmsTemplate('{"to":"{{ to }}","a":"{{ text }}","b":{{ text | json }}}', 'json');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(template.render({ ...values, text }))).toEqual({ to: '+98912', a: text, b: text });
      }),
    );
  });

  it('becomes the same form for any text', () => {
    const template = new SmsTemplate('to={{ to }}&text={{ text }}&again={{ text | url_encode }}', 'form');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const form = new URLSearchParams(template.render({ ...values, text }));
        expect(Object.fromEntries(form)).toEqual({ to: '+98912', text, again: text });
      }),
    );
  });

  it('is left alone where its format is unknown', () => {
    expect(new SmsTemplate('{{ text }}', 'plain').render(values)).toBe(values.text);
  });

  it.each([
    ['a name that is none', '{{ phone }}'],
    ['a filter that is none', '{{ to | shout }}'],
    ['a file', '{% include "/etc/passwd" %}'],
    ['a loop without an end', '{% for i in (1..100000000) %}{{ text }}{% endfor %}'],
    ['a range past all numbers', '{% assign all = (9007199254740992..9007199254740994) %}'],
    ['a range whose bounds show later', '{% if (to..id) %}x{% endif %}'],
    ['a list', '{{ text | split: "" | last }}'],
    ['a tag left open', '{% if to %}'],
    ['inner workings', '{{ to.constructor }}'],
  ])('does not take %s', (_name, text) => {
    expect(() => new SmsTemplate(text, 'plain').render(values)).toThrow();
  });

  it('is the same on a machine that stands still meanwhile', () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
    expect(new SmsTemplate('{{ text }} {{ id | upcase }}', 'plain').render(values)).toBe(`${values.text} I`);
    jest.restoreAllMocks();
  });

  it.each([
    ['appended to itself', '{% assign text = text | append: text %}'],
    ['written twice', '{% capture text %}{{ text }}{{ text }}{% endcapture %}'],
    ['written twice as it is', '{% capture text %}{{ text | raw }}{{ text | raw }}{% endcapture %}'],
  ])('does not become a text that was %s twenty times', (_name, doubled) => {
    const template = new SmsTemplate(`${doubled.repeat(20)}{{ text }}`, 'plain');
    expect(() => template.render(values)).toThrow('handles more than 1000000 characters');
    expect(new SmsTemplate(`${doubled.repeat(10)}{{ text }}`, 'plain').render(values)).toHaveLength(9 * 2 ** 10);
  });

  it.each([
    ['{"a":1}', undefined, 'json'],
    ['to=1', undefined, 'form'],
    ['x', 'application/json; charset=utf-8', 'json'],
    ['x', 'application/vnd.api+json', 'json'],
    ['{', 'application/x-www-form-urlencoded', 'form'],
    ['<to/>', 'text/xml', 'plain'],
  ])('%s of type %s is %s', (body, type, format) => {
    expect(bodyFormatOf(body, type)).toBe(format);
  });
});

it.each([
  ['id', 7],
  ['$.data.messages[1].id', 'b'],
  ['data.messages[9].id', undefined],
  ['data.constructor', undefined],
  ['id.toString', undefined],
])('the path %s leads to %j', (path, found) => {
  expect(readPath({ id: 7, data: { messages: [{ id: 'a' }, { id: 'b' }] } }, path)).toBe(found);
});
