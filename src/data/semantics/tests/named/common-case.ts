import { toText, type Value } from '../../../value.ts'
import { fold } from '../../fold.ts'
import { phraseFinder } from '../phrase.ts'
import { commonNeeds, needsOfLiteral } from '../word-need.ts'
import type { NamedTest } from './definition.ts'

/** All in capitals, or as written with some capitals lowered. Both texts fold alike. */
function isCommonCase(text: string, written: string): boolean {
  const characters = Array.from(text)
  if (characters.every((character) => character.toUpperCase() === character)) return true
  const wanted = Array.from(written)
  return characters.every((character, i) => character === wanted[i] || character === fold(wanted[i]))
}

function needs(args: readonly Value[]): ReturnType<typeof commonNeeds> {
  return commonNeeds(args.map((arg) => needsOfLiteral(toText(arg), 'boundary', 'boundary')))
}

/** Arguments: texts. The value is one of them, all in capitals, or with some of its capitals lowered. */
export const equalsCommonCase: NamedTest = {
  name: 'equals-common-case',
  text: (args) => {
    const wanted = args.map((arg) => ({ written: toText(arg), folded: fold(toText(arg)) }))
    return (text) => {
      const folded = fold(text)
      return wanted.some((item) => item.folded === folded && isCommonCase(text, item.written))
    }
  },
  words: needs,
}

/** As `equals-common-case`, for a phrase inside the value. */
export const containsCommonCase: NamedTest = {
  name: 'contains-common-case',
  text: (args) => {
    const wanted = args.map((arg) => {
      const written = toText(arg)
      return { written, find: written === '' ? undefined : phraseFinder(fold(written), false) }
    })
    return (text) => {
      const folded = fold(text)
      return wanted.some(({ written, find }) => {
        if (find === undefined) return text === ''
        for (let at = find(folded, 0); at !== -1; at = find(folded, at + 1)) {
          if (isCommonCase(text.slice(at, at + written.length), written)) return true
        }
        return false
      })
    }
  },
  words: needs,
}
