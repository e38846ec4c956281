import type { Options } from 'minisearch'

/** A section of a page as the index has it. */
export interface SearchEntry {
  /** Address relative to the root of the site, with the fragment of the section. */
  readonly id: string
  readonly title: string
  /** Title of its page. */
  readonly page: string
  readonly text: string
}

/** How sections are indexed and searched. The build and the page must agree. */
export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'text'],
  storeFields: ['title', 'page'],
  // Names of diagnostics, functions and options are searched whole and in parts.
  tokenize: (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [],
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
