import { type Template, toValueSync, Value } from 'liquidjs';

const weights = new WeakMap<Template, number>();

/** What a part of a template costs each time it is run, in steps: as many as it has operands, filters and arguments. */
export function weightOf(template: Template): number {
  let weight = weights.get(template);
  if (weight === undefined) weights.set(template, (weight = weigh(template)));
  return weight;
}

/** The parts inside a part; those of a template that stands alone are its own. */
export function childrenOf(template: Template): Template[] {
  return template.children === undefined ? [] : toValueSync<Template[]>(template.children(false, true));
}

function weigh(template: Template): number {
  let weight = 1;
  for (const argument of template.arguments?.() ?? []) {
    if (!(argument instanceof Value)) weight += 1;
    else
      weight += argument.initial.postfix.length + argument.filters.reduce((sum, { args }) => sum + 1 + args.length, 0);
  }
  return weight;
}
