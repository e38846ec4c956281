import { dirname, join } from 'node:path/posix'
import { Marked, type Token, type Tokens, type TokensList } from 'marked'
import type { PageBlocks } from './blocks.ts'
import { anchorOf, escapeHtml, relativeTo } from './html.ts'
import { codeHtml, shownHtml } from './query-html.ts'
import type { Source } from './source.ts'

/** A heading of a page. */
export interface Heading {
  readonly depth: number
  readonly title: string
  readonly anchor: string
}

/** A rendered page without its HTML frame. */
export interface Rendered {
  readonly title: string
  /** The first paragraph, as plain text. */
  readonly summary: string
  readonly headings: readonly Heading[]
  readonly html: string
}

/**
 * HTML that Markdown pages may contain: comments, and `<code>` around text with a bar in a table. Everything else, such
 * as `<name>`, is shown as text.
 */
const OWN_HTML = /^(?:<!--[^]*?-->|<\/?code>)\s*$/

export function tokensOf({ text }: Source): TokensList {
  return new Marked().lexer(text)
}

/** Text of Markdown tokens without formatting. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0) return plainText(token.tokens)
      return 'text' in token && token.type !== 'html' ? String(token.text) : ''
    })
    .join('')
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Text of a heading, unescaped: the lexer escapes HTML. */
export function headingText({ tokens }: Tokens.Heading): string {
  return plainText(tokens).replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
}

/** Renders a page. `pages` are the paths of all pages; `codes` are the diagnostics that have a page. */
export function renderPage(
  { path }: Source,
  tokens: TokensList,
  blocks: PageBlocks,
  { pages, codes }: { readonly pages: ReadonlySet<string>; readonly codes: ReadonlySet<string> },
): Rendered {
  const headings: Heading[] = []
  const seen = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading(token) {
        const title = headingText(token)
        const base = anchorOf(title)
        const count = seen.get(base) ?? 0
        seen.set(base, count + 1)
        const anchor = count === 0 ? base : `${base}-${count}`
        headings.push({ depth: token.depth, title, anchor })
        const html = this.parser.parseInline(token.tokens)
        if (token.depth === 1) return `<h1 id="${anchor}">${html}</h1>\n`
        return `<h${token.depth} id="${anchor}">${html} <a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(title)}">#</a></h${token.depth}>\n`
      },
      link({ href, tokens: inner }) {
        const [file = '', fragment] = href.split('#')
        const hash = fragment === undefined ? '' : `#${fragment}`
        const isPage = file !== '' && !/^[a-z]+:/.test(file) && pages.has(join(dirname(path), file))
        const target = isPage ? `${file.replace(/\.md$/, '.html')}${hash}` : href
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(inner)}</a>`
      },
      code({ text, lang }) {
        return codeHtml(text, lang ?? '')
      },
      codespan({ text }) {
        const html = `<code>${escapeHtml(text)}</code>`
        const own = path === `diagnostics/${text}.md`
        return codes.has(text) && !own ? `<a href="${relativeTo(path, `diagnostics/${text}.html`)}">${html}</a>` : html
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map(({ tokens: inner, align }) => `<${tag}${align === null ? '' : ` class="${align}"`}>${this.parser.parseInline(inner)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
      html({ text }) {
        if (!OWN_HTML.test(text)) return escapeHtml(text)
        return text.startsWith('<!--') ? '' : text
      },
    },
    extensions: [{ name: 'shown', renderer: ({ html }) => String(html) }],
  })
  const parts = tokens.map((token): Token => {
    const shown = blocks.shown.get(token)
    return shown === undefined ? token : { type: 'shown', raw: token.raw, html: shownHtml(shown, path, codes) }
  })
  const html = marked.parser(parts)
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph')
  return {
    title: headings[0]?.title ?? path,
    summary: first === undefined ? '' : plainText(first.tokens ?? []).replaceAll('\n', ' '),
    headings,
    html,
  }
}
