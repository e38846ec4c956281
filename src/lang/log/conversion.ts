import { SluiceError, at, defineDiagnostics, type Span } from '../../base/index.ts'

export const convertDiagnostic = defineDiagnostics('convert', {
  'no-counterpart': (d: { found: string; instead: string }) => ({
    message: `The log language has no counterpart of ${d.found}.`,
    why: d.instead,
  }),
})

/**
 * Throws an error for a construct without a counterpart in the log language, with its position in the original query.
 */
export function noCounterpart(span: Span, found: string, instead: string): never {
  throw new SluiceError([convertDiagnostic('no-counterpart', { found, instead }, at(span))])
}

/** A query of the log language that was converted from another language, with notes on differences. */
export interface ConvertedQuery {
  readonly text: string
  /** Sentences that describe for which rows the answers differ. */
  readonly notes: readonly string[]
}
