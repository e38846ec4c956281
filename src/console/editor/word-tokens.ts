/** A token of a language that the page colours itself. Strings and comments may be open at the end of the text. */
export interface Token {
  readonly start: number
  readonly end: number
  readonly text: string
  /** A group of the pattern, such as `word`, `field`, `string` or `operator`. */
  readonly kind: string
}

/** Splits a text by a pattern of named groups. */
export function tokensOf(text: string, pattern: RegExp): readonly Token[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index, groups = {} }) => ({
    start: index,
    end: index + found.length,
    text: found,
    kind: Object.keys(groups).find((name) => groups[name] !== undefined) ?? 'operator',
  }))
}

/** Position and text that a completion would replace, and what may stand there. */
export interface Wanted {
  readonly start: number
  readonly end: number
  /** Text to complete, up to the offset; for a string without its opening quote. */
  readonly text: string
  /** `nothing`: the offset is in a comment, a number, or a string that is not compared with a field. */
  readonly kind: 'words' | 'string' | 'nothing'
  /** Field whose value may stand at the offset. */
  readonly field: string | undefined
}

/** Returns what completion offers at an offset. A value may stand after a field and one of `comparisons`. */
export function wantedIn(
  tokens: readonly Token[],
  text: string,
  offset: number,
  comparisons: ReadonlySet<string>,
): Wanted {
  const at = tokens.findIndex(({ start, end, kind }) => start < offset && offset <= end && kind !== 'operator')
  const present = tokens[at]
  const before = present === undefined ? tokens.filter(({ end }) => end <= offset) : tokens.slice(0, at)
  const [compared, sign] = before.slice(-2)
  const isCompared = comparisons.has(sign?.text ?? '') && ['field', 'word'].includes(compared?.kind ?? '')
  const field = isCompared ? compared?.text : undefined
  if (present === undefined) return { start: offset, end: offset, text: '', kind: 'words', field }
  const { start, kind } = present
  if (kind === 'field' || kind === 'word')
    return { start, end: present.end, text: text.slice(start, offset), kind: 'words', field }
  if (kind !== 'string' || field === undefined) return { start, end: offset, text: '', kind: 'nothing', field }
  const isClosed = present.text.length > 1 && present.text.endsWith(present.text.charAt(0))
  // An unterminated string would extend to the end of the line and include the text after the cursor.
  const end = isClosed ? present.end : offset
  return { start, end, text: text.slice(start + 1, offset), kind: 'string', field }
}
