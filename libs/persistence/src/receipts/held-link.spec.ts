import { heldLink } from './held-link';

describe('a link that was followed', () => {
  const held = [
    'https://shop.example/',
    'shop://u/{{ user.id }}',
    'https://shop.example/{{ a }}/x/{{ b }}?q=1',
    'shop://s/{% if a %}one{% else %}two{% endif %}/end',
  ];

  it.each([
    ['https://shop.example/', 'https://shop.example/'],
    ['shop://u/ada', 'shop://u/{{ user.id }}'],
    ['shop://u/{{ user.id }}', 'shop://u/{{ user.id }}'],
    ['https://shop.example/1/x/2?q=1', 'https://shop.example/{{ a }}/x/{{ b }}?q=1'],
    ['shop://s/two/end', 'shop://s/{% if a %}one{% else %}two{% endif %}/end'],
    ['shop://v/ada', undefined],
    ['https://shop.example/1/y/2?q=1', undefined],
    ['https://shop.example/1/x/2?q=2', undefined],
    ['https://shop.example/x?q=1', undefined],
  ])('%s is that of the message it came from', (followed, link) => {
    expect(heldLink(held, followed)).toBe(link);
  });

  it('may be long, and its template may have many parts', () => {
    const template = `a://${'{{ u }}a'.repeat(500)}`;
    expect(heldLink([template], `a://${'a'.repeat(4_000)}b`)).toBeUndefined();
  });
});
