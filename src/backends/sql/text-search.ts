import { wordNeeds, type ValueTest } from '../../data/index.ts'
import { phraseTokens, type WordQuery } from '../../store/sqlite/index.ts'
import { MIN_HINT_PREFIX_CHARS } from './tuning.ts'

/** The word-index search for a test on the text field. */
export interface TextSearch {
  readonly query: WordQuery
  /** Whether the index finds exactly the matching rows, or possibly more. */
  readonly isExact: boolean
}

function searchPhrase(text: string, isFolded: boolean, isPrefix: boolean): TextSearch | undefined {
  const { tokens, hasLeftEdge, hasRightEdge, isCut } = phraseTokens(text)
  if (tokens.length === 0) return undefined
  return {
    // When punctuation follows, the last word is complete.
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
  // An alternative that the index cannot search makes the whole OR unknown; in an AND it only allows more rows.
  if (found.length === 0 || (kind === 'or' && found.length < searches.length)) return undefined
  const combined = combine(kind, found)
  return found.length === searches.length ? combined : { ...combined, isExact: false }
}

/**
 * Returns a word-index search for a test that missing and empty values do not pass; `undefined` when the index does not
 * help.
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
