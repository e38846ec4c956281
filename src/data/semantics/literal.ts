/** Returns whether an index lies between the halves of a surrogate pair, that is, inside a character. */
function isInsidePair(text: string, index: number): boolean {
  const after = text.charCodeAt(index)
  if (!(after >= 0xdc00 && after <= 0xdfff)) return false
  const before = text.charCodeAt(index - 1)
  return before >= 0xd800 && before <= 0xdbff
}

/** Returns whether a literal occurs at an index. Half of a surrogate pair is no occurrence. */
export function isLiteralAt(text: string, literal: string, index: number): boolean {
  return text.startsWith(literal, index) && !isInsidePair(text, index) && !isInsidePair(text, index + literal.length)
}

/**
 * Returns the first index from `from` on at which a literal occurs, -1 if there is none. A match never splits a
 * surrogate pair.
 */
export function indexOfLiteral(text: string, literal: string, from: number): number {
  let at = text.indexOf(literal, from)
  while (at !== -1 && (isInsidePair(text, at) || isInsidePair(text, at + literal.length))) {
    at = at < text.length ? text.indexOf(literal, at + 1) : -1
  }
  return at
}
