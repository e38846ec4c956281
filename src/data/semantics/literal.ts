/** Whether an index lies between the two halves of a surrogate pair, that is, inside a character. */
function isInsidePair(text: string, index: number): boolean {
  const after = text.charCodeAt(index)
  if (!(after >= 0xdc00 && after <= 0xdfff)) return false
  const before = text.charCodeAt(index - 1)
  return before >= 0xd800 && before <= 0xdbff
}

/** Whether a literal is at an index of a text, as whole characters: it does not match half of a pair. */
export function isLiteralAt(text: string, literal: string, index: number): boolean {
  return text.startsWith(literal, index) && !isInsidePair(text, index) && !isInsidePair(text, index + literal.length)
}

/**
 * Returns the first index from `from` on at which a literal occurs; a match never divides a surrogate pair. -1 when
 * there is none.
 */
export function indexOfLiteral(text: string, literal: string, from: number): number {
  let at = text.indexOf(literal, from)
  while (at !== -1 && (isInsidePair(text, at) || isInsidePair(text, at + literal.length))) {
    at = at < text.length ? text.indexOf(literal, at + 1) : -1
  }
  return at
}
