/** Hexadecimal codes with a letter, of control characters that JSON escapes by their code. */
const odd = [0x0b, 0x0e, 0x0f, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f].map((code) => code.toString(16).padStart(4, '0'))

/** Control characters whose JSON escape contains a letter, as the inside of a character class. */
export const ODD_CONTROLS = String.raw`\x0b\x0e\x0f\x1a-\x1f`

interface Words {
  /** SQL that tests whether the string `{0}` contains a character of `ODD_CONTROLS` or of `unescaped`. */
  readonly isOdd: string
  readonly replaced: (text: string, from: string, to: string) => string
  /**
   * SQL for the string of the character U+0001. JSON always escapes this character, so it can mark positions
   * temporarily.
   */
  readonly aside: string
  /** Characters that the database escapes in JSON, but Sluice does not. */
  readonly unescaped?: readonly string[]
  /** Writes a string literal. */
  readonly quoted: (text: string) => string
}

/**
 * Writes SQL that changes a string's JSON to Sluice's form: hexadecimal escapes get lower-case letters. Used for
 * databases that write capital letters. Escaped backslashes are replaced by the mark `aside` during the change.
 */
export function smallHex(json: string, { isOdd, replaced, aside, unescaped = [], quoted }: Words): string {
  const pair = quoted('\\\\')
  const apart = replaced(json, pair, aside)
  const small = odd.reduce(
    (text, code) => replaced(text, quoted(`\\u${code.toUpperCase()}`), quoted(`\\u${code}`)),
    apart,
  )
  const plain = unescaped.reduce(
    (text, char) => replaced(text, quoted(`\\u${char.charCodeAt(0).toString(16)}`), quoted(char)),
    small,
  )
  return `CASE WHEN ${isOdd} THEN ${replaced(plain, aside, pair)} ELSE ${json} END`
}
