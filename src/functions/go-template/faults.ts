/** Thrown if a template cannot be parsed. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** Offset of the error in the template, in UTF-16 units. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** The part of a template in which an expansion failed. */
export interface FaultLocation {
  readonly offset: number
  /** The offset that Go reports for the part, and Go's text for it; missing in other languages. */
  readonly go?: {
    readonly offset: number
    readonly text: string
    /** Name of the template that was called by `template`; missing in the outermost template. */
    readonly template?: string
  }
}

/** Thrown if an expansion fails. Functions throw it without a location; the interpreter adds the location of the call. */
export class ExpansionFault extends Error {
  readonly location: FaultLocation | undefined
  /** The reason in Go's wording, if it differs from the message. */
  readonly go: string

  constructor(
    message: string,
    { location, go = message }: { readonly location?: FaultLocation; readonly go?: string } = {},
  ) {
    super(message)
    this.location = location
    this.go = go
  }

  get offset(): number | undefined {
    return this.location?.offset
  }
}

/** Returns line and column of an offset, both from 1, as `3:14`. */
export function positionText(source: string, offset: number): string {
  const before = source.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return `${before.split('\n').length}:${offset - lineStart + 1}`
}
