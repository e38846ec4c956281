import { SluiceError } from '../base/index.ts'

/** Faults in a text that another text or a command names: a rule file, a definition of a monitor, a query of one. */
export class SourceError extends SluiceError {
  override readonly name = 'SourceError'
  /** Path or description of the source, for messages. */
  readonly source: string
  /** The text to which spans belong; empty if no fault has a span. */
  readonly text: string

  constructor(source: string, text: string, { diagnostics }: SluiceError) {
    super(diagnostics)
    this.source = source
    this.text = text
  }
}

/** Runs `work`. Throws SourceError for a SluiceError, unless it already names its source. */
export async function withSource<T>(source: string, text: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SluiceError && !(error instanceof SourceError) ? new SourceError(source, text, error) : error
  }
}
