import { SluiceError, at, defineDiagnostics, type Span } from '../../base/index.ts'

export const convertDiagnostic = defineDiagnostics('convert', {
  'no-counterpart': (d: { found: string; instead: string }) => ({
    message: `The log language has no counterpart of ${d.found}.`,
    why: d.instead,
  }),
})

/** Refuses what has no counterpart in the log language, with its place in the other one. */
export function noCounterpart(span: Span, found: string, instead: string): never {
  throw new SluiceError([convertDiagnostic('no-counterpart', { found, instead }, at(span))])
}

/** A query of the log language, and what differs from the query of another language that it was. */
export interface ConvertedQuery {
  readonly text: string
  /** Sentences about rows for which the answers differ. */
  readonly notes: readonly string[]
}
