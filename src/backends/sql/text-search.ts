import { wordNeeds, type ValueTest } from '../../data/index.ts'
import { phraseTokens, type WordQuery } from '../../store/sqlite/index.ts'
import { MIN_HINT_PREFIX_CHARS } from './tuning.ts'

/** A search in the word index, made from a test of the text field. */
export interface TextSearch {
  readonly query: WordQuery
  /** True if the index finds exactly the rows that pass the test. Otherwise it may find more. */
  readonly isExact: boolean
}

function searchPhrase(text: string, isFolded: boolean, isPrefix: boolean): TextSearch | undefined {
  const { tokens, hasLeftEdge, hasRightEdge, isCut } = phraseTokens(text)
  if (tokens.length === 0) return undefined
  return {
    // Punctuation after the last word means that the word is complete, so it need not be searched as a prefix.
    query: { kind: 'phrase', tokens, isPrefix: isPrefix && !hasRightEdge },
    isExact: isFolded && !hasLeftEdge && !hasRightEdge && !isCut,
  }
}

function combine(kind: 'and' | 'or', searches: readonly TextSearch[]): TextSearch {
  const [only] = searches
  if (searches.length === 1 && only !== undefined) return only
  return {
    query: { kind, args: searches.map((search) => search.query) },
    isExact: searches.every((search) => search.isExact),
  }
}

function searchPhrases(kind: 'and' | 'or', phrases: readonly string[], isFolded: boolean): TextSearch | undefined {
  const searches = phrases.map((phrase) => searchPhrase(phrase, isFolded, false))
  const found = searches.filter((search) => search !== undefined)
  // An OR with an alternative that cannot be searched may match any row, so the index is useless. An AND remains
  // correct without such a term; it only finds more rows.
  if (found.length === 0 || (kind === 'or' && found.length < searches.length)) return undefined
  const combined = combine(kind, found)
  return found.length === searches.length ? combined : { ...combined, isExact: false }
}

/**
 * Returns a word-index search that finds all rows that pass the test. The test must fail for missing and empty values.
 * `undefined` if the index does not help.
 */
export function textSearch(test: ValueTest): TextSearch | undefined {
  switch (test.kind) {
    case 'phrase':
      return searchPhrase(test.text, test.isFolded, false)
    case 'phrase-prefix':
      return searchPhrase(test.text, test.isFolded, true)
    case 'contains-all':
      return searchPhrases('and', test.phrases, test.isFolded)
    case 'contains-any':
      return searchPhrases('or', test.phrases, test.isFolded)
    case 'sequence': {
      const search = searchPhrases(
        'and',
        test.phrases.filter((phrase) => phrase !== ''),
        test.isFolded,
      )
      return search === undefined || test.phrases.length === 1 ? search : { ...search, isExact: false }
    }
    default: {
      const needs = wordNeeds(test).filter((need) => !need.isPrefix || need.word.length >= MIN_HINT_PREFIX_CHARS)
      if (needs.length === 0) return undefined
      const queries = needs.map((need): TextSearch => ({
        query: { kind: 'phrase', tokens: phraseTokens(need.word).tokens, isPrefix: need.isPrefix },
        isExact: false,
      }))
      return combine('and', queries)
    }
  }
}
