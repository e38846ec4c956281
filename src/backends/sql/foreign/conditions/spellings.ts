import { MAX_BEGINNINGS, PREFIX_LETTERS } from '../../tuning.ts'

export const ASCII = /^[\0-\x7f]*$/

/** Writes a text as part of a pattern. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/**
 * Returns the spellings of the first letters of a lower-case text, as far as they are few; two letters beyond ASCII
 * become `i` and `k` in lower case.
 */
export function beginningsOf(text: string, most = MAX_BEGINNINGS): readonly string[] {
  let beginnings: readonly string[] = []
  for (const letter of text) {
    if (!/[ -hjl-~]/.test(letter)) break
    const cases = [...new Set([letter, letter.toUpperCase()])]
    if (Math.max(1, beginnings.length) * cases.length > most) break
    beginnings = (beginnings.length === 0 ? [''] : beginnings).flatMap((begun) => cases.map((each) => begun + each))
  }
  return beginnings
}

/** Letters beyond ASCII that become these in lower case. */
export const SPELLED: Readonly<Record<string, string>> = { i: 'İ', k: '\u212a' }

/** Returns how many texts become this ASCII text in lower case. */
export function casesOf(text: string): number {
  let count = 1
  for (const letter of text) if (/[a-z]/.test(letter)) count *= letter in SPELLED ? 3 : 2
  return count
}

/** Returns all texts that become this ASCII text in lower case. */
export function inEveryCase(text: string): readonly string[] {
  let made: readonly string[] = ['']
  for (const letter of text) {
    const cases = /[a-z]/.test(letter) ? [letter, letter.toUpperCase(), SPELLED[letter] ?? ''] : [letter]
    made = cases.filter((each) => each !== '').flatMap((each) => made.map((begun) => begun + each))
  }
  return made
}

/**
 * Returns the beginning of a lower-case text with few letters, without letters to which characters beyond ASCII are
 * lowered.
 */
export function beginningOf(text: string): string {
  const end = text.search(/[ik]/)
  const plain = end === -1 ? text : text.slice(0, end)
  const letters = [...plain.matchAll(/[a-z]/g)]
  return plain.slice(0, letters[PREFIX_LETTERS]?.index)
}

/**
 * Writes a text for a LIKE pattern. With `isLoose`, any character may stand where one beyond ASCII may become the
 * searched letter.
 */
export function likeLiteral(text: string, isLoose: boolean): string {
  const written = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return isLoose ? written.replaceAll(/[ik]/g, '_') : written
}

export function spellings(text: string): readonly string[] {
  const at = text.search(/[ik]/)
  if (at === -1) return [text]
  const letter = text.charAt(at)
  const rests = spellings(text.slice(at + 1))
  return [letter, SPELLED[letter] ?? ''].flatMap((each) => rests.map((rest) => text.slice(0, at) + each + rest))
}
