import { present } from '../../base/index.ts'

/** Matches texts in which every character is one column wide. The ellipsis is at the end of texts that were cut. */
const PLAIN = /^[\x20-\x7e]*…?$/
let measure: ((text: string) => number) | undefined
let graphemes: Intl.Segmenter | undefined

export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

/**
 * Loads the width tables. Call it before measuring text that is not plain ASCII; other answers start faster without the
 * tables.
 */
export async function loadWidths(): Promise<void> {
  const { default: stringWidth } = await import('string-width')
  measure ??= (text) => stringWidth(text, { countAnsiEscapeCodes: true })
}

export function hasWidths(): boolean {
  return measure !== undefined
}

/**
 * Returns the width of a text without control characters in terminal columns. Wide East Asian characters and emoji
 * count as 2.
 */
export function displayWidth(text: string): number {
  return isPlain(text) ? text.length : present(measure, 'widths are loaded')(text)
}

/** Cuts a text to `columns`, with an ellipsis in the last column. */
export function fitted(text: string, columns: number): string {
  if (isPlain(text)) return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`
  // Cuts a very long text before measuring it: at most 32 characters for each column can be shown, and no width is
  // negative.
  const start = text.length > 32 * (columns + 1) ? text.slice(0, 32 * (columns + 1)) : text
  if (start === text && displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  graphemes ??= new Intl.Segmenter()
  for (const { segment } of graphemes.segment(start)) {
    width += displayWidth(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Pads a text with blanks after it, or before it with `isRight`, to `columns`. */
export function padded(text: string, columns: number, isRight = false): string {
  const blanks = ' '.repeat(Math.max(0, columns - displayWidth(text)))
  return isRight ? blanks + text : text + blanks
}
