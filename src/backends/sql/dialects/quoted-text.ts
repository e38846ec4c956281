/** Control characters that JSON writes as hexadecimal numbers with a letter. */
const odd = [0x0b, 0x0e, 0x0f, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f].map((code) => code.toString(16).padStart(4, '0'))

/** These characters as a pattern, without brackets. */
export const ODD_CONTROLS = String.raw`\x0b\x0e\x0f\x1a-\x1f`

interface Words {
  /** Tests whether the text `{0}` contains one of `ODD_CONTROLS` or of `unescaped`. */
  readonly isOdd: string
  readonly replaced: (text: string, from: string, to: string) => string
  /** A text of the character 1, which JSON never contains unescaped. */
  readonly aside: string
  /** Characters that the database escapes and Sluice does not. */
  readonly unescaped?: readonly string[]
  /** Writes a string literal. */
  readonly quoted: (text: string) => string
}

/**
 * Writes the JSON of the text `{0}` with escapes in lower case, as Sluice does, for databases that write capitals.
 * Escaped backslashes are replaced meanwhile by a character that no such text contains.
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
