import MiniSearch from 'minisearch'
import type { Token, Tokens, TokensList } from 'marked'
import { searchOptions, type SearchEntry } from '../../site/page/search-options.ts'
import { anchorOf } from './html.ts'
import { headingText, plainText } from './markdown.ts'

/** Characters of a section that are indexed: its first sentence says what it is about, and the index stays below 100 kB. */
const SECTION_CHARS = 120

/** Headings deeper than this belong to the section above them. */
const DEPTH = 3

/** Pages whose first section alone is indexed: the others are the same on each, or on pages of their own. */
const ONE_SECTION = /^diagnostics\/|^grammar\/reference\/diagnostics\.md$/

/** Returns the sections of a page, each from a heading to the next one. */
export function sectionsOf(path: string, tokens: TokensList): readonly SearchEntry[] {
  const sections: { title: string; anchor: string; text: string }[] = []
  for (const token of tokens as readonly Token[]) {
    if (token.type === 'heading' && token['depth'] <= DEPTH) {
      const title = headingText(token as Tokens.Heading)
      sections.push({ title, anchor: sections.length === 0 ? '' : `#${anchorOf(title)}`, text: '' })
      continue
    }
    const last = sections.at(-1)
    if (last === undefined || token.type === 'html' || token.type === 'space') continue
    last.text += ` ${token.type === 'table' ? tableText(token as Tokens.Table) : plainText([token])}`
  }
  const page = sections[0]?.title ?? path
  const address = path.replace(/\.md$/, '.html')
  const listed = ONE_SECTION.test(path) ? sections.slice(0, 1) : sections
  return listed.map(({ title, anchor, text }) => ({
    id: `${address}${anchor}`,
    title,
    page,
    text: text.slice(0, SECTION_CHARS),
  }))
}

function tableText({ rows }: Tokens.Table): string {
  return rows.flatMap((cells) => cells.map(({ tokens }) => plainText(tokens))).join(' ')
}

/** Returns the index of all sections, as the page loads it. Of sections with one address the first is kept. */
export function searchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch(searchOptions)
  index.addAll([...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()])
  return JSON.stringify(index)
}
