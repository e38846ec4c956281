import { fold } from '../../data/index.ts'

const WORD = /^[\p{L}\p{Nd}_]$/u

/** The text as a list of characters (code points), folded when the comparison is. */
export function characters(text: string, isFolded: boolean): readonly string[] {
  return Array.from(isFolded ? fold(text) : text)
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character)
}

/** Whether `part` stands in `text` at `index`. */
export function standsAt(text: readonly string[], part: readonly string[], index: number): boolean {
  return index + part.length <= text.length && part.every((character, i) => text[index + i] === character)
}

/** Whether a cut at `index` divides a word. */
function dividesWord(text: readonly string[], index: number): boolean {
  return isWord(text[index - 1]) && isWord(text[index])
}

/**
 * All places where a phrase occurs without being cut inside a word, trying every place in turn. With `isPrefix` the
 * right end may divide a word.
 */
export function phrasePlaces(text: readonly string[], phrase: readonly string[], isPrefix: boolean): readonly number[] {
  const places: number[] = []
  for (let index = 0; index + phrase.length <= text.length; index++) {
    if (!standsAt(text, phrase, index)) continue
    if (dividesWord(text, index)) continue
    if (!isPrefix && dividesWord(text, index + phrase.length)) continue
    places.push(index)
  }
  return places
}

/** Whether the phrases can be placed one after another without overlap, trying all placings. */
export function occurInOrder(text: readonly string[], phrases: readonly (readonly string[])[], from = 0): boolean {
  if (phrases.length === 0) return true
  const [first = [], ...rest] = phrases
  const place = phrasePlaces(text, first, false).find((index) => index >= from)
  return place !== undefined && occurInOrder(text, rest, place + first.length)
}

/**
 * Whether literal parts with any text between make up the whole text: keeps the set of all places where the parts so
 * far may end.
 */
export function matchesGlob(text: readonly string[], parts: readonly (readonly string[])[]): boolean {
  const [first = [], ...rest] = parts
  let ends = new Set<number>(standsAt(text, first, 0) ? [first.length] : [])
  for (const part of rest) {
    const next = new Set<number>()
    for (const end of ends) {
      for (let index = end; index <= text.length; index++) {
        if (standsAt(text, part, index)) next.add(index + part.length)
      }
    }
    ends = next
  }
  return ends.has(text.length)
}
