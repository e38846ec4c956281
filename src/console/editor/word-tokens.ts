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

/** Words that can stand at an offset of a query, and the text that one of them would replace. */
export interface Wanted {
  readonly start: number
  readonly end: number
  /** The text in front of the offset; of a string without its quote. */
  readonly text: string
  /** `nothing`: in a comment, a number, or a string that is compared with no field. */
  readonly kind: 'words' | 'string' | 'nothing'
  /** The field whose value stands here. */
  readonly field: string | undefined
}

/** Returns what completion offers at an offset. A value stands behind a field and one of `comparisons`. */
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
  // An open string reaches to the end of the line, over what stands behind the cursor.
  const end = isClosed ? present.end : offset
  return { start, end, text: text.slice(start + 1, offset), kind: 'string', field }
}
