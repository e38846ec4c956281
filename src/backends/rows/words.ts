import { fold } from '../../data/index.ts'

const WORD = /^[\p{L}\p{Nd}_]$/u

/** Returns a string as a list of code points, lower-case if the comparison ignores case. */
export function characters(text: string, isFolded: boolean): readonly string[] {
  return Array.from(isFolded ? fold(text) : text)
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character)
}

/** Returns whether `part` occurs in `text` at `index`. */
export function standsAt(text: readonly string[], part: readonly string[], index: number): boolean {
  return index + part.length <= text.length && part.every((character, i) => text[index + i] === character)
}

/** True if `index` is inside a word, between two word characters. */
function dividesWord(text: readonly string[], index: number): boolean {
  return isWord(text[index - 1]) && isWord(text[index])
}

/**
 * Returns all positions of a phrase that starts and ends at word boundaries, by trying every position. With `isPrefix`
 * the end may lie inside a word.
 */
export function phrasePositions(
  text: readonly string[],
  phrase: readonly string[],
  isPrefix: boolean,
): readonly number[] {
  const positions: number[] = []
  for (let index = 0; index + phrase.length <= text.length; index++) {
    if (!standsAt(text, phrase, index)) continue
    if (dividesWord(text, index)) continue
    if (!isPrefix && dividesWord(text, index + phrase.length)) continue
    positions.push(index)
  }
  return positions
}

/** True if the phrases can be placed one after the other without overlap, by trying all placements. */
export function occurInOrder(text: readonly string[], phrases: readonly (readonly string[])[], from = 0): boolean {
  if (phrases.length === 0) return true
  const [first = [], ...rest] = phrases
  const position = phrasePositions(text, first, false).find((index) => index >= from)
  return position !== undefined && occurInOrder(text, rest, position + first.length)
}

/**
 * True if the literal parts, with any text between them, make up the whole text. Tracks all positions at which the
 * parts so far may end.
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
