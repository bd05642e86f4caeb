/** What `tools/src/testing/remember-looks.cjs` keeps of a page is what jsdom says of it at any moment. */
describe('the page of a test', () => {
  const find = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
  const styleOf = (id: string): CSSStyleDeclaration => getComputedStyle(find(id));

  afterEach(() => document.body.replaceChildren());

  it('has styles that follow attributes, rules and elements around', () => {
    document.body.innerHTML = '<div id="around"><p id="text" class="plain">Tea</p></div>';
    expect(styleOf('text').display).toBe('block');
    find('text').hidden = true;
    expect(styleOf('text').display).toBe('none');
    find('text').hidden = false;
    expect(styleOf('text').display).toBe('block');
    find('text').style.display = 'flex';
    expect(styleOf('text').display).toBe('flex');
    find('text').removeAttribute('style');
    expect(styleOf('text').visibility).toBe('visible');
    find('around').style.visibility = 'hidden';
    expect(styleOf('text').visibility).toBe('hidden');
    find('around').removeAttribute('style');
    const sheet = document.createElement('style');
    sheet.textContent = '.plain { display: grid }';
    document.body.append(sheet);
    expect(styleOf('text').display).toBe('grid');
    sheet.firstChild!.nodeValue = '.plain { display: table }';
    expect(styleOf('text').display).toBe('table');
    find('text').className = '';
    expect(styleOf('text').display).toBe('block');
  });

  it.each([
    ['ul, ol, li', '<li id="it"></li>', '<p id="it"></p>'],
    ['LI', '<li id="it"></li>', '<p id="it"></p>'],
    ['ul > li', '<ul><li id="it"></li></ul>', '<ol><li id="it"></li></ol>'],
    ['ul li, p + a', '<p></p><a id="it"></a>', '<ul><a id="it"></a></ul>'],
    ['input:not([type=a], [type="b, p"])', '<input type="c" id="it" />', '<input type="b, p" id="it" />'],
    ['[title="a, b]"]', '<p title="a, b]" id="it"></p>', '<p title="b]" id="it"></p>'],
    ['ul, [hidden]', '<p hidden id="it"></p>', '<p id="it"></p>'],
    [':is(ul, p)', '<p id="it"></p>', '<li id="it"></li>'],
    ['ul:not(.a p), .b', '<p class="b" id="it"></p>', '<p id="it"></p>'],
    ['a.b > *', '<a class="b"><p id="it"></p></a>', '<a><p id="it"></p></a>'],
    ['linearGradient', '<svg><linearGradient id="it" /></svg>', '<svg><g id="it" /></svg>'],
  ])('takes %s for what it says', (selectors, like, unlike) => {
    document.body.innerHTML = like;
    expect(find('it').matches(selectors)).toBe(true);
    document.body.innerHTML = unlike;
    expect(find('it').matches(selectors)).toBe(false);
  });

  it('has labels that follow the ids of fields, and fields that come and go', () => {
    document.body.innerHTML = '<label id="label" for="name">Name</label><input id="name" /><input id="title" />';
    const label = find('label') as HTMLLabelElement;
    const [name, title] = [find('name') as HTMLInputElement, find('title') as HTMLInputElement];
    expect([label.control, name.labels?.length, title.labels?.length]).toEqual([name, 1, 0]);
    label.htmlFor = 'title';
    expect([label.control, name.labels?.length, title.labels?.length]).toEqual([title, 0, 1]);
    title.id = 'heading';
    expect(label.control).toBeNull();
    const late = document.createElement('input');
    late.id = 'title';
    document.body.append(late);
    expect(label.control).toBe(late);
    late.remove();
    expect(label.control).toBeNull();
    label.remove();
    expect([label.control, title.labels?.length]).toEqual([null, 0]);
  });
});
