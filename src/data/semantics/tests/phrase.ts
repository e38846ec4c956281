import type { ValueTestOf } from '../../value-test.ts'
import { fold } from '../fold.ts'
import { indexOfLiteral } from '../literal.ts'
import { isWordAt, isWordBefore } from '../words.ts'
import type { TestOps, TextPredicate } from './ops.ts'
import { commonNeeds, needsOfLiteral } from './word-need.ts'

/**
 * Returns the first position at or after `from` at which the phrase occurs without cutting a word; -1 if there is none.
 */
type Finder = (text: string, from: number) => number

/** Returns a function that finds a non-empty phrase. With `isPrefix`, its end may be inside a word. */
export function phraseFinder(phrase: string, isPrefix: boolean): Finder {
  const startsWord = isWordAt(phrase, 0)
  const endsWord = !isPrefix && isWordBefore(phrase, phrase.length)
  return (text, from) => {
    for (let at = indexOfLiteral(text, phrase, from); at !== -1; at = indexOfLiteral(text, phrase, at + 1)) {
      if (startsWord && isWordBefore(text, at)) continue
      if (endsWord && isWordAt(text, at + phrase.length)) continue
      return at
    }
    return -1
  }
}

/** Applies a test to the lower-case string if case is ignored, else to the string as it is. */
export function foldedIf(isFolded: boolean, predicate: TextPredicate): TextPredicate {
  return isFolded ? (text) => predicate(fold(text)) : predicate
}

export function phrasePredicate(phrase: string, isFolded: boolean): TextPredicate {
  if (phrase === '') return (text) => text === ''
  const find = phraseFinder(isFolded ? fold(phrase) : phrase, false)
  return foldedIf(isFolded, (text) => find(text, 0) !== -1)
}

export const phraseOps: TestOps<ValueTestOf<'phrase'>> = {
  text: (test) => phrasePredicate(test.text, test.isFolded),
  words: (test) => needsOfLiteral(test.text, 'boundary', 'boundary'),
}

export const phrasePrefixOps: TestOps<ValueTestOf<'phrase-prefix'>> = {
  text: (test) => {
    if (test.text === '') return (text) => text !== ''
    const find = phraseFinder(test.isFolded ? fold(test.text) : test.text, true)
    return foldedIf(test.isFolded, (text) => find(text, 0) !== -1)
  },
  words: (test) => needsOfLiteral(test.text, 'boundary', 'open'),
}

export const sequenceOps: TestOps<ValueTestOf<'sequence'>> = {
  text: (test) => {
    const phrases = test.phrases.filter((phrase) => phrase !== '')
    const finders = phrases.map((phrase) => {
      const text = test.isFolded ? fold(phrase) : phrase
      return { length: text.length, find: phraseFinder(text, false) }
    })
    return foldedIf(test.isFolded, (text) => {
      let from = 0
      for (const { length, find } of finders) {
        const at = find(text, from)
        if (at === -1) return false
        from = at + length
      }
      return true
    })
  },
  words: (test) => test.phrases.flatMap((phrase) => needsOfLiteral(phrase, 'boundary', 'boundary')),
}

/** Returns a test for one phrase of a list. The empty phrase occurs in every string. */
function listedPhrase(phrase: string, isFolded: boolean): TextPredicate {
  return phrase === '' ? () => true : phrasePredicate(isFolded ? fold(phrase) : phrase, false)
}

export const containsAllOps: TestOps<ValueTestOf<'contains-all'>> = {
  text: (test) => {
    const all = test.phrases.map((phrase) => listedPhrase(phrase, test.isFolded))
    return foldedIf(test.isFolded, (text) => all.every((holds) => holds(text)))
  },
  words: (test) => test.phrases.flatMap((phrase) => needsOfLiteral(phrase, 'boundary', 'boundary')),
}

export const containsAnyOps: TestOps<ValueTestOf<'contains-any'>> = {
  text: (test) => {
    const any = test.phrases.map((phrase) => listedPhrase(phrase, test.isFolded))
    return foldedIf(test.isFolded, (text) => any.some((holds) => holds(text)))
  },
  words: (test) => commonNeeds(test.phrases.map((phrase) => needsOfLiteral(phrase, 'boundary', 'boundary'))),
}
