import { SluiceError } from '../base/index.ts'

/**
 * Errors in a text to which another text or a command refers: a rule file, a monitor definition, or a query in one of
 * these.
 */
export class SourceError extends SluiceError {
  override readonly name = 'SourceError'
  /** Path or description of the source, for messages. */
  readonly source: string
  /** Text to which the spans refer; empty if no error has a span. */
  readonly text: string

  constructor(source: string, text: string, { diagnostics }: SluiceError) {
    super(diagnostics)
    this.source = source
    this.text = text
  }
}

/** Runs `work`. Converts a SluiceError to a SourceError, unless it already names its source. */
export async function withSource<T>(source: string, text: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SluiceError && !(error instanceof SourceError) ? new SourceError(source, text, error) : error
  }
}
