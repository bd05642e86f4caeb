import { MaxLength } from 'class-validator';
import { fieldNames, FromAllSent, Optional, Rule } from './field';
import { IsFlag, IsJson, IsLink, IsListOf, IsName, IsNameList, IsTime, IsWholeNumber } from './fields';
import { IsCursor, IsLimit, makeCursor } from './paging';
import { IsListOfForms, IsNested, IsNestedList } from './nested';
import { readRequest } from './read-request';
import { readLink } from './values';

class Button {
  @IsName()
  title!: string;

  @Optional()
  @IsLink()
  url?: string;
}

class Card {
  @IsName()
  title!: string;

  @Optional()
  @IsNestedList(() => Button, { max: 2 })
  buttons?: Button[];
}

class Order {
  @IsName()
  user!: string;

  @Optional()
  @IsFlag()
  isGift?: boolean;

  @Optional()
  @IsWholeNumber(1, 9)
  count?: number;

  @Optional()
  @IsTime()
  at?: Date;

  @Optional()
  @IsNameList({ max: 3 })
  @Rule<Order>(({ names, user }) => (names?.includes(user ?? '') ? 'must not hold the user' : null))
  names?: string[];

  @Optional()
  @IsNested(() => Card)
  card?: Card;

  @Optional()
  @IsListOf(readLink, { items: { type: 'string' }, max: 3 })
  links?: string[];
}

class OrdersQuery {
  @IsCursor(/^\d+$/)
  cursor?: string;

  @IsLimit(200, 50)
  limit!: number;
}

class Round {
  @IsWholeNumber(1, 9)
  radius!: number;
}

class Square {
  @IsWholeNumber(1, 9)
  width!: number;
}

class Drawing {
  @IsListOfForms([Round, Square], ({ width }) => (width === undefined ? Round : Square), { max: 3 })
  shapes!: (Round | Square)[];

  /** The fields that the class does not know. */
  @FromAllSent((sent) => {
    const further = Object.keys(sent).filter((name) => !fieldNames(Drawing.prototype).has(name));
    if (further.length > 2) return { problem: 'has too many' };
    return further.includes('bad') ? { problems: [{ path: 'bad', message: 'is bad' }] } : { value: further };
  })
  further!: string[];
}

class Framed {
  @IsNested(() => Drawing)
  drawing!: Drawing;
}

class Parcel extends Order {
  @MaxLength(3)
  @IsName()
  code!: string;

  @Optional()
  @IsJson()
  data?: unknown;
}

const read = (json: unknown, path?: string): { request: Order; problems: object[] } => readRequest(Order, json, path);

describe('a request read as its class', () => {
  it('holds what was sent, as values, and no field that was not', () => {
    const { request, problems } = read({
      user: 'ada',
      isGift: '1',
      count: '3',
      at: '2026-11-22T09:00:00Z',
      names: ['a', 'a', 'b'],
      card: { title: 'x', buttons: [{ title: 'b', url: null }], other: 1 },
      other: { deep: 1 },
    });
    expect(problems).toEqual([]);
    expect(request).toEqual({
      user: 'ada',
      isGift: true,
      count: 3,
      at: new Date('2026-11-22T09:00:00Z'),
      names: ['a', 'b'],
      card: { title: 'x', buttons: [{ title: 'b' }] },
    });
    expect(request.card).toBeInstanceOf(Card);
    expect(request.card?.buttons?.[0]).toBeInstanceOf(Button);
  });

  it('names every bad field in the caller’s own path', () => {
    const { problems } = read(
      {
        isGift: 'yes',
        count: 10,
        at: 'soon',
        names: ['a', '', 5],
        links: ['shop://x', 'javascript:x'],
        card: { buttons: [{ title: 'x' }, { url: 'data:x' }] },
      },
      '[3]',
    );
    expect(problems.map((problem) => (problem as { path: string }).path)).toEqual([
      '[3].user',
      '[3].isGift',
      '[3].count',
      '[3].at',
      '[3].names[1]',
      '[3].names[2]',
      '[3].card.title',
      '[3].card.buttons[1].title',
      '[3].card.buttons[1].url',
      '[3].links[1]',
    ]);
  });

  it('refuses what is no object where one stands', () => {
    expect(read({ user: 'a', card: [] }).problems).toEqual([{ path: 'card', message: 'must be an object' }]);
    expect(read({ user: 'a', card: 'x' }).problems).toEqual([{ path: 'card', message: 'must be an object' }]);
    const buttons = [null, [], 'x'];
    expect(read({ user: 'a', card: { title: 't', buttons: buttons.slice(0, 2) } }).problems).toEqual([
      { path: 'card.buttons[0]', message: 'must be an object' },
      { path: 'card.buttons[1]', message: 'must be an object' },
    ]);
    expect(read({ user: 'a', card: { title: 't', buttons } }).problems).toEqual([
      { path: 'card.buttons', message: 'must be an array of 0 to 2 objects' },
    ]);
    expect(read([]).problems).toEqual([{ path: '', message: 'must be a JSON object' }]);
  });

  it('reports a rule under its field', () => {
    expect(read({ user: 'a', names: ['a'] }).problems).toEqual([{ path: 'names', message: 'must not hold the user' }]);
  });

  it('reads the part of a list that is asked for: a cursor as its place, and the usual limit when none is said', () => {
    expect(readRequest(OrdersQuery, {})).toEqual({ request: { limit: 50 }, problems: [] });
    expect(readRequest(OrdersQuery, { cursor: makeCursor('17'), limit: '200' }).request).toEqual({
      cursor: '17',
      limit: 200,
    });
    expect(readRequest(OrdersQuery, { cursor: '17', limit: '201' }).problems.map(({ path }) => path)).toEqual([
      'cursor',
      'limit',
    ]);
  });

  it('takes the class of each object of a list by its form', () => {
    const { request, problems } = readRequest(Drawing, { shapes: [{ radius: 1 }, { width: 2, radius: 'x' }] });
    expect(problems).toEqual([]);
    expect(request.shapes).toEqual([{ radius: 1 }, { width: 2 }]);
    expect(request.shapes[1]).toBeInstanceOf(Square);
    expect(readRequest(Drawing, { shapes: [{}, null, { width: 0 }] }).problems.map(({ path }) => path)).toEqual([
      'shapes[0].radius',
      'shapes[1]',
      'shapes[2].width',
    ]);
  });

  it('fills a field from all that was sent, and says what is wrong of the object', () => {
    expect(readRequest(Drawing, { shapes: [], a: 1, further: 2 }).request.further).toEqual(['a', 'further']);
    const pathsOf = (drawing: object): string[] =>
      [readRequest(Drawing, drawing), readRequest(Framed, { drawing })].map(
        ({ problems }) => problems[0]?.path ?? 'none',
      );
    expect(pathsOf({ shapes: [], a: 1, b: 2, c: 3 })).toEqual(['', 'drawing']);
    expect(pathsOf({ shapes: [], bad: 1 })).toEqual(['bad', 'drawing.bad']);
  });

  it('keeps JSON of the caller’s own as it is, without walking through it', () => {
    const data = { deep: [{ constructor: 1 }] };
    expect(readRequest(Parcel, { user: 'a', code: 'x', data }).request.data).toBe(data);
  });

  it('holds what a decorator of class-validator’s own asks for, too, in a class that extends another', () => {
    const { problems } = readRequest(Parcel, { user: '', code: 'long' });
    expect(problems.map(({ path }) => path).sort()).toEqual(['code', 'user']);
    expect(readRequest(Parcel, { user: 'a', code: 'abc' }).problems).toEqual([]);
  });

  it('lacks what could not be read, and keeps the rest', () => {
    const { request } = read({
      user: '',
      isGift: true,
      card: { title: 5, buttons: [{ title: 'b', url: 'data:x' }, 1] },
    });
    expect(request).toEqual({ isGift: true, card: { buttons: [{ title: 'b' }, false] } });
  });

  it('takes null for absent, and nothing from a prototype', () => {
    expect(read({ user: null }).problems).toEqual([{ path: 'user', message: 'is required' }]);
    expect(read(Object.create({ user: 'a' }) as object).problems).toEqual([{ path: 'user', message: 'is required' }]);
    expect(read({ user: 'a', card: null, count: null, names: null })).toEqual({ request: { user: 'a' }, problems: [] });
  });

  it('walks through nothing that somebody sent', () => {
    const brackets: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    for (const value of [{ constructor: 'x' }, { deep: [{ constructor: { prototype: 1 } }] }, brackets]) {
      expect(read({ user: value, card: { title: value, buttons: [value] } }).problems).toHaveLength(3);
    }
  });
});
