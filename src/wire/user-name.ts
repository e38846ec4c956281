/** Characters that nobody sees, or that turn the direction of writing: of two names that look the same one would be another user. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** A character that no name of a user may have, and the place that it has there, from 1. */
export interface HiddenCharacter {
  readonly position: number
  /** `U+200B`. */
  readonly code: string
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}

/** The first character of a user's name or address that is refused where keys and policies are made. */
export function hiddenCharacter(text: string): HiddenCharacter | undefined {
  const name = withoutBlanks(text)
  const at = name.search(HIDDEN)
  if (at < 0) return undefined
  const code = (name.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return { position: Array.from(name.slice(0, at)).length + 1, code: `U+${code}` }
}

/** A user's name or address in the one form of all spellings that look the same (NFKC), without blanks around it. */
export function userNameOf(text: string): string {
  return withoutBlanks(text.normalize('NFKC'))
}
