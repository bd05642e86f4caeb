import { Marked, type Token, type Tokens } from 'marked';

/** A heading of a page, and the text under it. */
interface PageSection {
  /** The anchor; '' before the first heading. */
  id: string;
  title: string;
  depth: number;
  /** Plain text, for the search. */
  text: string;
}

/** A document as a page shows it. */
export interface RenderedDocument {
  html: string;
  sections: PageSection[];
}

/** Returns the target of a document's link on the site; null: none, only its text stays. */
type ResolveLink = (href: string) => string | null;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it may stand in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return plain.trim().replace(/\s/g, '-');
}

/**
 * Renders Markdown as GitHub shows it, with headings that can be linked to. HTML in a document is shown as text, but for `<br>` and
 * pictures that follow the theme.
 *
 * @param resolve where links and pictures lead
 */
export function renderDocument(markdown: string, resolve: ResolveLink): RenderedDocument {
  const sections: PageSection[] = [{ id: '', title: '', depth: 1, text: '' }];
  const taken = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const title = plainText(tokens);
        const id = uniqueAnchor(title, taken);
        sections.push({ id, title, depth, text: '' });
        return `<h${depth} id="${escapeHtml(id)}"><a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to this section">#</a>${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const target = resolve(href);
        const text = this.parser.parseInline(tokens);
        return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        const target = resolve(href);
        return target === null
          ? escapeHtml(text)
          : `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang }: Tokens.Code): string {
        const language = /^\w*/.exec(lang ?? '')?.[0] ?? '';
        return `<pre tabindex="0"${language === '' ? '' : ` data-language="${language}"`}><code>${escapeHtml(text)}</code></pre>\n`;
      },
      table(token: Tokens.Table): string {
        return `<div class="table" tabindex="0"><table>${tableRows(token, (cell) => this.parser.parseInline(cell.tokens))}</table></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        return /^<br\s*\/?>$/.test(text.trim()) ? '<br>' : escapeHtml(text);
      },
    },
    walkTokens: () => undefined,
  });
  const tokens = marked.lexer(markdown);
  const html: string[] = [];
  for (const token of tokens) {
    html.push(marked.parser([token]));
    const section = sections.at(-1);
    if (section !== undefined && token.type !== 'heading') section.text += ` ${plainText([token])}`;
  }
  return { html: html.join(''), sections: sections.filter(({ id, text }) => id !== '' || text.trim() !== '') };
}

function tableRows({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`).join('');
  return `<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`;
}

function uniqueAnchor(title: string, taken: Map<string, number>): string {
  const anchor = anchorOf(title);
  const times = taken.get(anchor) ?? 0;
  taken.set(anchor, times + 1);
  return times === 0 ? anchor : `${anchor}-${times}`;
}

/** Returns the visible text of tokens, without marks. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
      if (token.type === 'space' || token.type === 'hr') return ' ';
      const { tokens: inner, text } = token as Tokens.Generic;
      return inner === undefined ? unescaped(String(text ?? '')) : plainText(inner);
    })
    .join('');
}

function unescaped(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'");
}
