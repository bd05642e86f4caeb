import type { ErrorDetail } from '@postrider/domain';
import { type PlainTemplate, plainTemplate } from '../templates/plain-template';
import { TemplateFailure } from '../templates/template-failure';
import { type LoadedProgram, SandboxLost } from '../sandbox/template-sandbox';
import { TEMPLATE_SANDBOXES } from '../sandbox/template-sandboxes';
import { type Inspection, type MadeTexts, MOST_AT_ONCE, type TextSource } from '../sandbox/sandbox-protocol';
import { type MessageFacts, type PersonFacts, PersonScope } from '../templates/person-scope';

/** The number of people for whom a sandbox renders without a pause. */
export const PEOPLE_AT_ONCE = 32;
/** After this many stops, the program itself is the cause, and is not tried for its other people. */
const MOST_STOPS = 5;
const TOO_OFTEN = 'was stopped too often';
/** The number of characters that a sandbox parses without a pause. */
const PARSED_AT_ONCE = 32_768;

/** What the texts of a program read. */
export interface TextNeeds {
  /** The variables: `user`, `promoCode`, … */
  readonly globals: ReadonlySet<string>;
  /** The user's attributes. Null: any. */
  readonly attributes: ReadonlySet<string> | null;
  /** The names in `variables`; null: any. */
  readonly variables: ReadonlySet<string> | null;
}

/** The texts for one person, and the variables that have no value, if these were asked for. */
interface PersonTexts {
  texts: string[];
  missing: string[];
}

let programs = 0;

/**
 * Texts of a message that are rendered together, for one person after the other, with one budget of work for each.
 * Texts of plain variables are made at once. All others are parsed and rendered by liquidjs in a sandbox process, which
 * is killed if it takes too long or too much memory, whatever the reason: the person whose turn it was fails.
 */
export class TextProgram {
  /** Null: they need a sandbox. */
  readonly #plain: readonly PlainTemplate[] | null;
  readonly #loaded: LoadedProgram;
  #needs: Promise<TextNeeds> | undefined;
  #stops = 0;

  constructor(
    private readonly sources: readonly TextSource[],
    private readonly facts: MessageFacts,
  ) {
    const plain = sources.map(({ text }) => plainTemplate(text));
    this.#plain = plain.every((template) => template !== null) ? plain : null;
    const length = sources.reduce((sum, { text }) => sum + text.length, 0);
    this.#loaded = { name: ++programs, length, load: { sources, facts } };
  }

  /** True if its texts can be made synchronously (`textsFor`). */
  get isPlain(): boolean {
    return this.#plain !== null;
  }

  /** What its texts read. @throws TemplateFailure if one cannot be parsed */
  needs(): Promise<TextNeeds> {
    return (this.#needs ??= this.#plain === null ? this.#inspected() : Promise.resolve(together(this.#plain)));
  }

  /** The texts for one person, of a plain program. @throws TemplateFailure */
  textsFor(person: PersonFacts, now: Date): string[] {
    return this.#write(person, now, false).texts;
  }

  /** The texts for each of these people, or the reason why there are none. @throws Error if there is no sandbox */
  async render(
    people: readonly PersonFacts[],
    now: Date,
    collectsMissing = false,
  ): Promise<(PersonTexts | TemplateFailure)[]> {
    if (this.#plain !== null) return people.map((person) => this.#attempt(person, now, collectsMissing));
    const made: (PersonTexts | TemplateFailure)[] = [];
    while (made.length < people.length) {
      if (this.#stops >= MOST_STOPS) return [...made, ...people.slice(made.length).map(() => this.#stopped(TOO_OFTEN))];
      made.push(
        ...(await this.#renderSome(people.slice(made.length, made.length + PEOPLE_AT_ONCE), now, collectsMissing)),
      );
    }
    return made;
  }

  /**
   * For the first of these people, at least one. If the sandbox is lost, the person whose turn it was has failed, and
   * the others go on.
   */
  async #renderSome(
    people: readonly PersonFacts[],
    now: Date,
    collectsMissing: boolean,
  ): Promise<(PersonTexts | TemplateFailure)[]> {
    try {
      const made = await TEMPLATE_SANDBOXES.render(this.#loaded, { people, now, collectsMissing });
      return made.map(madeOrFailed);
    } catch (error) {
      if (!(error instanceof SandboxLost)) throw error;
      this.#stops += 1;
      const index = people.length === 1 ? 0 : error.index;
      if (index === 0) return [this.#stopped(error.reason)];
      // If it was nobody's turn yet, the first is tried alone.
      const before = await this.#renderSome(people.slice(0, Math.max(1, index)), now, collectsMissing);
      return before.length === index ? [...before, this.#stopped(error.reason)] : before;
    }
  }

  #attempt(person: PersonFacts, now: Date, collectsMissing: boolean): PersonTexts | TemplateFailure {
    try {
      return this.#write(person, now, collectsMissing);
    } catch (error) {
      if (error instanceof TemplateFailure) return error;
      throw error;
    }
  }

  #write(person: PersonFacts, now: Date, collectsMissing: boolean): PersonTexts {
    const scope = new PersonScope(person, this.facts, now, collectsMissing);
    const plain = this.#plain ?? [];
    const texts: string[] = [];
    for (let place = 0; place < plain.length; place++) {
      try {
        texts.push((plain[place] as PlainTemplate).render(scope));
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw failure((this.sources[place] as TextSource).path, problem);
      }
    }
    return { texts, missing: [...(scope.missing ?? [])] };
  }

  async #inspected(): Promise<TextNeeds> {
    const inspections = await inspectTexts(this.sources.map(({ text }) => text));
    return together(
      inspections.map((inspection, place) => {
        if (!inspection.isTemplate) throw failure((this.sources[place] as TextSource).path, inspection.problem);
        return needsOf(inspection);
      }),
    );
  }

  #stopped(reason: string): TemplateFailure {
    return failure(
      this.sources
        .map(({ path }) => path)
        .join(', ')
        .slice(0, 200),
      reason,
    );
  }
}

/** Finds problems of texts before they are accepted. @throws Error if there is no sandbox */
export async function textProblems(sources: readonly TextSource[]): Promise<ErrorDetail[]> {
  const others = sources.filter(({ text }) => plainTemplate(text) === null);
  const inspections = await inspectTexts(others.map(({ text }) => text));
  return inspections.flatMap((inspection, place) => {
    if (inspection.isTemplate) return [];
    const message = `is not a template that can be rendered: ${inspection.problem}`;
    return [{ path: (others[place] as TextSource).path, message }];
  });
}

/**
 * Returns the names that each of these texts reads; null for one that cannot be parsed. @throws Error if there is no
 * sandbox
 */
export async function textNeeds(texts: readonly string[]): Promise<(TextNeeds | null)[]> {
  const plain = texts.map(plainTemplate);
  const others = await inspectTexts(texts.filter((_, place) => plain[place] === null));
  let next = 0;
  return plain.map((template) => {
    if (template !== null) return template;
    const inspection = others[next++];
    return inspection?.isTemplate === true ? needsOf(inspection) : null;
  });
}

/** Inspects one text after the other, as many at a time as a sandbox parses in a moment. */
async function inspectTexts(texts: readonly string[]): Promise<Inspection[]> {
  const inspections: Inspection[] = [];
  while (inspections.length < texts.length) {
    const some = texts.slice(inspections.length, inspections.length + textsAtOnce(texts, inspections.length));
    try {
      inspections.push(...(await TEMPLATE_SANDBOXES.inspect(some)));
    } catch (error) {
      if (!(error instanceof SandboxLost)) throw error;
      inspections.push(...(await inspectAgain(some, error)));
    }
  }
  return inspections;
}

function textsAtOnce(texts: readonly string[], from: number): number {
  let to = from;
  for (let length = 0; to < texts.length && to - from < MOST_AT_ONCE && length < PARSED_AT_ONCE; to++) {
    length += (texts[to] as string).length;
  }
  return to - from;
}

/** The text that was being parsed when the sandbox was lost is the cause. The others are parsed again. */
async function inspectAgain(texts: readonly string[], { index, reason }: SandboxLost): Promise<Inspection[]> {
  const blamed: Inspection = { isTemplate: false, problem: reason };
  if (texts.length === 1) return [blamed];
  if (index >= 0) return [...(await inspectTexts(texts.slice(0, index))), blamed];
  return inspectTexts(texts.slice(0, 1));
}

function needsOf({ globals, attributes, variables }: Extract<Inspection, { isTemplate: true }>): TextNeeds {
  return {
    globals: new Set(globals),
    attributes: attributes && new Set(attributes),
    variables: variables && new Set(variables),
  };
}

function together(all: readonly TextNeeds[]): TextNeeds {
  return {
    globals: new Set(all.flatMap(({ globals }) => [...globals])),
    attributes: allNames(all.map(({ attributes }) => attributes)),
    variables: allNames(all.map(({ variables }) => variables)),
  };
}

function allNames(sets: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  return sets.includes(null) ? null : new Set(sets.flatMap((names) => [...(names ?? [])]));
}

function madeOrFailed(made: MadeTexts): PersonTexts | TemplateFailure {
  return made.isMade ? made : failure(made.path, made.problem);
}

function failure(path: string, problem: string): TemplateFailure {
  return new TemplateFailure(
    'template_failed',
    `The template in ${path} cannot be rendered for this recipient: ${problem}`,
  );
}
