import type { CorpusCase } from './corpus-case';

const FENCE = /```(?:sh|json)\n([\s\S]*?)```/g;
const COMMAND =
  /(?:curl (?:-X (\w+) )?"\$BASE(?:\/apps\/shop)?\/api([^"]*)"(?:(?!curl)[^'])*(?:'content-type[^']*')?[^']*)?-d '([^']*)'/g;

/** The page shows one date; whoever follows it writes one that is still to come. */
const SHOWN_TIME = /"sendAt": "[^"]*"/;

/** Every request of a page that shows the API by example: what follows `-d` of its commands, and its blocks of JSON. */
export function documentedCases(page: string): CorpusCase[] {
  let at = 0;
  return [...page.matchAll(FENCE)].flatMap(([, block = '']) => {
    if (/^[[{]/.test(block)) return [requestOf(`block ${++at}`, undefined, undefined, block)];
    return [...block.matchAll(COMMAND)].map(([, method, path, body = '']) =>
      requestOf(`command ${++at}`, method, path, body),
    );
  });
}

/** A body without a path is a send; who it is for says which. */
function requestOf(name: string, method = 'POST', path: string | undefined, body: string): CorpusCase {
  const send = /"(?:target|segment)":/.test(body) ? '/push/byQuery' : '/push/toUsers';
  const shown = path ?? send;
  const url = shown.replace('/apps/shop', '/apps/<case>');
  const operation = `${method} /api${shown.replace(/apps\/shop\/vendors\/\w+/, 'apps/{id}/vendors/{vendor}')}`;
  return {
    operation,
    name: `docs/api.md: ${name}`,
    url: shown.startsWith('/push') ? `${url}?dryRun=true` : url,
    body: body.replace(SHOWN_TIME, '"sendAt": "<tomorrow local>"'),
  };
}
