import { wordNeeds, type ValueTest } from '../../data/index.ts'
import { phraseTokens, type WordQuery } from '../../store/sqlite/index.ts'
import { MIN_HINT_PREFIX_CHARS } from './tuning.ts'

/** A word-index search made from a test of the text field. */
export interface TextSearch {
  readonly query: WordQuery
  /** True if the index finds exactly the rows that pass the test. If not, it may find more. */
  readonly isExact: boolean
}

function searchPhrase(text: string, isFolded: boolean, isPrefix: boolean): TextSearch | undefined {
  const { tokens, hasLeftEdge, hasRightEdge, isCut } = phraseTokens(text)
  if (tokens.length === 0) return undefined
  return {
    // If punctuation follows the last word, that word is complete, so the index need not search it as a prefix.
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
  // If one alternative of an OR cannot be searched, any row may match and the index is useless. A term of an AND that
  // cannot be searched only lets more rows through.
  if (found.length === 0 || (kind === 'or' && found.length < searches.length)) return undefined
  const combined = combine(kind, found)
  return found.length === searches.length ? combined : { ...combined, isExact: false }
}

/**
 * Returns a word-index search that finds all rows which pass the test, for a test that missing and empty values fail.
 * `undefined` when the index does not help.
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
