import { MAX_BEGINNINGS, PREFIX_LETTERS } from '../../tuning.ts'

export const ASCII = /^[\0-\x7f]*$/

/** Writes a string with escapes, as part of a pattern. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/**
 * Returns the upper- and lower-case variants of a string's first letters, with as many letters as give at most `most`
 * variants. Stops before `i` and `k`, each of which is also the lower case of a character beyond ASCII.
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

/** For an ASCII letter: the letter beyond ASCII that has it as lower case. */
export const SPELLED: Readonly<Record<string, string>> = { i: 'İ', k: '\u212a' }

/** Returns the number of strings whose lower case is this ASCII string. */
export function casesOf(text: string): number {
  let count = 1
  for (const letter of text) if (/[a-z]/.test(letter)) count *= letter in SPELLED ? 3 : 2
  return count
}

/** Returns all strings whose lower case is this ASCII string. */
export function inEveryCase(text: string): readonly string[] {
  let made: readonly string[] = ['']
  for (const letter of text) {
    const cases = /[a-z]/.test(letter) ? [letter, letter.toUpperCase(), SPELLED[letter] ?? ''] : [letter]
    made = cases.filter((each) => each !== '').flatMap((each) => made.map((begun) => begun + each))
  }
  return made
}

/**
 * Returns the beginning of a lower-case string, with at most `PREFIX_LETTERS` letters. Stops before a letter that is
 * also the lower case of a character beyond ASCII.
 */
export function beginningOf(text: string): string {
  const end = text.search(/[ik]/)
  const plain = end === -1 ? text : text.slice(0, end)
  const letters = [...plain.matchAll(/[a-z]/g)]
  return plain.slice(0, letters[PREFIX_LETTERS]?.index)
}

/**
 * Writes a string with escapes for a LIKE pattern. With `isLoose`, each letter that is also the lower case of a
 * character beyond ASCII becomes `_`.
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
