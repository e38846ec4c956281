import type { Options } from 'minisearch'

/** An indexed section of a page. */
export interface SearchEntry {
  /** Address relative to the root of the site, with the fragment of the section. */
  readonly id: string
  readonly title: string
  /** Title of its page. */
  readonly page: string
  readonly text: string
}

/** Options of the search index, used both to build it and to search it. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'text'],
  storeFields: ['title', 'page'],
  // Names such as `wire/not-json` and `max_rows` are split at punctuation, so a search finds them whole and by their
  // parts.
  tokenize: (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [],
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
