/** Characters that are invisible or change the direction of writing, so that two different names could look alike. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** A character that user names must not contain. */
export interface HiddenCharacter {
  readonly position: number
  /** Code point such as `U+200B`. */
  readonly code: string
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}

/** Returns the first forbidden character of a user's name or address in keys and policies. */
export function hiddenCharacter(text: string): HiddenCharacter | undefined {
  const name = withoutBlanks(text)
  const at = name.search(HIDDEN)
  if (at < 0) return undefined
  const code = (name.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return { position: Array.from(name.slice(0, at)).length + 1, code: `U+${code}` }
}

/** Returns the canonical form of a user's name or address: NFKC, trimmed. Names that look alike become equal. */
export function userNameOf(text: string): string {
  return withoutBlanks(text.normalize('NFKC'))
}
