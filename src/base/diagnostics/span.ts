/** A half-open range of UTF-16 offsets `[start, end)` in one source text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the span `[start, end)`, in UTF-16 units. */
export function span(start: number, end: number): Span {
  return { start, end }
}

/** Returns the smallest span that contains both. */
export function spanUnion(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) }
}

/** The line and column of an offset, both from 1. Columns are counted in UTF-16 units. */
export interface LineColumn {
  readonly line: number
  readonly column: number
}

export function lineColumnAt(text: string, offset: number): LineColumn {
  let line = 1
  let lineStart = 0
  const end = Math.min(offset, text.length)
  for (let index = text.indexOf('\n'); index !== -1 && index < end; index = text.indexOf('\n', index + 1)) {
    line++
    lineStart = index + 1
  }
  return { line, column: end - lineStart + 1 }
}
