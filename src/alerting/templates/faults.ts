/** A template that cannot be parsed. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** Offset of the error in the template, in UTF-16 units. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** A failed expansion. Functions throw it without an offset; the interpreter adds the offset of the call. */
export class ExpansionFault extends Error {
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }
}

/** Returns line and column of an offset, both from 1, as `3:14`. */
export function positionText(source: string, offset: number): string {
  const before = source.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return `${before.split('\n').length}:${offset - lineStart + 1}`
}
