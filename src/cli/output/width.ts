import stringWidth from 'string-width'

const PLAIN = /^[\x20-\x7e]*$/
const graphemes = new Intl.Segmenter()

/** Columns of a terminal that a text without control characters takes: 2 for a wide East-Asian character or an emoji. */
export function displayWidth(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true })
}

/** The text within `columns`; what is cut off is told by an ellipsis in the last one. */
export function fitted(text: string, columns: number): string {
  if (PLAIN.test(text)) return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`
  // No character takes less than nothing: a text of so many cannot be measured for each cell that shows a few.
  const start = text.length > 32 * (columns + 1) ? text.slice(0, 32 * (columns + 1)) : text
  if (start === text && displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(start)) {
    width += displayWidth(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** The text with blanks behind it, or with `isRight` in front, up to `columns`. */
export function padded(text: string, columns: number, isRight = false): string {
  const blanks = ' '.repeat(Math.max(0, columns - displayWidth(text)))
  return isRight ? blanks + text : text + blanks
}
