import { PersonScope } from '../templates/person-scope';
import { parseTemplate, type Template } from '../templates/template';
import type {
  InspectRequest,
  Inspection,
  MadeTexts,
  RenderRequest,
  SandboxAnswer,
  SandboxRequest,
} from './sandbox-protocol';

/** After this many characters an answer is sent, so that it stays small. */
const MAX_ANSWER = 1_000_000;

interface Program {
  templates: readonly { template: Template; path: string }[];
  facts: NonNullable<RenderRequest['load']>['facts'];
}

/** The work of a template sandbox: parses and renders callers' templates with liquidjs. */
export class TemplateWork {
  readonly #programs = new Map<number, Program>();

  /** @param progress called with the text or person that begins */
  constructor(private readonly progress: (index: number) => void) {}

  answer(request: SandboxRequest): SandboxAnswer {
    const answer = request.kind === 'inspect' ? this.#inspect(request) : this.#render(request);
    this.progress(-1);
    return answer;
  }

  #inspect({ texts }: InspectRequest): Inspection[] {
    return texts.map((text, index) => {
      this.progress(index);
      try {
        const { globals, attributes, variables } = parseTemplate(text);
        return {
          isTemplate: true,
          globals: [...globals],
          attributes: attributes && [...attributes],
          variables: variables && [...variables],
        };
      } catch (error) {
        return { isTemplate: false, problem: messageOf(error) };
      }
    });
  }

  #render(request: RenderRequest): MadeTexts[] {
    for (const name of request.forget) this.#programs.delete(name);
    if (request.load !== null) this.#programs.set(request.program, loaded(request.load));
    const program = this.#programs.get(request.program);
    if (program === undefined) throw new Error(`Nobody loaded the program ${request.program}`);
    const made: MadeTexts[] = [];
    let length = 0;
    for (const [index, person] of request.people.entries()) {
      if (length > MAX_ANSWER) break;
      this.progress(index);
      const scope = new PersonScope(person, program.facts, request.now, request.collectsMissing);
      const texts = make(program, scope);
      if (texts.isMade) length += texts.texts.reduce((sum, text) => sum + text.length, 0);
      made.push(texts);
    }
    return made;
  }
}

function loaded({ sources, facts }: NonNullable<RenderRequest['load']>): Program {
  return { facts, templates: sources.map(({ text, path }) => ({ template: templateOf(text), path })) };
}

/** A text that does not parse fails for every person. */
function templateOf(text: string): Template {
  try {
    return parseTemplate(text);
  } catch (error) {
    const render = (): never => {
      throw error;
    };
    return { globals: new Set(), attributes: new Set(), variables: new Set(), render };
  }
}

function make({ templates }: Program, scope: PersonScope): MadeTexts {
  const texts: string[] = [];
  for (const { template, path } of templates) {
    try {
      texts.push(template.render(scope));
    } catch (error) {
      return { isMade: false, path, problem: messageOf(error) };
    }
  }
  return { isMade: true, texts, missing: [...(scope.missing ?? [])] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
