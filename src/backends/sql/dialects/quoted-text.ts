/** Control characters that JSON writes with a letter in base 16. */
const odd = [0x0b, 0x0e, 0x0f, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f].map((code) => code.toString(16).padStart(4, '0'))

/** They as a pattern, without its brackets. */
export const ODD_CONTROLS = String.raw`\x0b\x0e\x0f\x1a-\x1f`

interface Words {
  /** Whether the text `{0}` has one of `ODD_CONTROLS`, or of what `unescaped` names. */
  readonly isOdd: string
  readonly replaced: (text: string, from: string, to: string) => string
  /** A text of the character 1, which JSON never has as it is. */
  readonly aside: string
  /** Characters that are escaped, and stand as they are in ours. */
  readonly unescaped?: readonly string[]
  /** A literal. */
  readonly quoted: (text: string) => string
}

/**
 * JSON of the text `{0}` with escapes in small letters, as we write them, where a database writes capitals. Escaped
 * backslashes step aside in the meantime, for a character that stands in no such text.
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
