import MiniSearch from 'minisearch'
import type { Token, Tokens, TokensList } from 'marked'
import { searchOptions, type SearchEntry } from '../../site/page/search-options.ts'
import { anchorOf } from './html.ts'
import { headingText, plainText } from './markdown.ts'

/**
 * Number of characters of a section that are indexed. The first sentence states the subject, and the index stays small
 * to load.
 */
const SECTION_CHARS = 120

/** Deeper headings belong to the section above them. */
const DEPTH = 3

/**
 * Pages of which only the first section is indexed. Their other sections are equal on all pages, or have a page of
 * their own.
 */
const ONE_SECTION = /^diagnostics\/|^grammar\/reference\/diagnostics\.md$/

/** Splits a page into sections, one for each heading. */
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

/** Builds the serialized index of all sections. Of several sections with one address, the first is kept. */
export function searchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch(searchOptions)
  index.addAll([...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()])
  return JSON.stringify(index)
}
