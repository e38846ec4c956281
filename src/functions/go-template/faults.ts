/** Thrown if a template cannot be parsed. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** Offset of the error in the template, UTF-16 units. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** The part of a template in which an expansion failed. */
export interface FaultLocation {
  readonly offset: number
  /** Offset and text that Go reports for the part. Missing for template languages other than Go's. */
  readonly go?: {
    readonly offset: number
    readonly text: string
    /** Name of the template that `template` called; missing for the outermost template. */
    readonly template?: string
  }
}

/**
 * Thrown if an expansion fails. Functions throw it without a location; the interpreter then adds the location of the
 * call.
 */
export class ExpansionFault extends Error {
  readonly location: FaultLocation | undefined
  /** Reason in Go's wording; equal to the message by default. */
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

/** Returns the line and the column of an offset, such as `3:14`. Both count from 1. */
export function positionText(source: string, offset: number): string {
  const before = source.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return `${before.split('\n').length}:${offset - lineStart + 1}`
}
