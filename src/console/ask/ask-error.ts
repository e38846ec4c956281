import type { AskFailure } from './requests.ts'

/** Error of a failed request to the data source. */
export class AskError extends Error {
  override readonly name = 'AskError'
  readonly failure: AskFailure

  constructor(failure: AskFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Converts any error to a failure that the page can show. */
export function failureOf(error: unknown): AskFailure {
  if (error instanceof AskError) return error.failure
  if (error instanceof DOMException && error.name === 'AbortError') return cancelled
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'other', message, diagnostics: [] }
}

export const cancelled: AskFailure = { kind: 'cancelled', message: 'The query was cancelled.', diagnostics: [] }
