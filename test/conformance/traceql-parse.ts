import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseTraceql, renderTraceqlError, type TraceqlEndpoint } from '../../src/lang/traceql/index.ts'

/** A line of the vectors of TraceQL, as far as parsing needs it. */
export interface TraceqlVector {
  readonly id: string
  readonly kind: TraceqlEndpoint
  readonly query: string
  readonly status: number
  readonly error?: string
}

/** A query of which the text of the error, or that there is one, differs from the reference. */
export interface WrongRefusal {
  readonly id: string
  readonly query: string
  readonly got: string
  readonly wanted: string
}

export const traceqlVectors = resolve(import.meta.dirname, '../../../shared/vectors/traceql')

/** Returns the lines of a file of vectors; none if there are no vectors. */
export function readTraceqlVectors(file: string): readonly TraceqlVector[] {
  const path = resolve(traceqlVectors, file)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as TraceqlVector)
}

/** Returns the body with which a query is refused, or `accepted`. */
export function refusalOf({ kind, query }: Pick<TraceqlVector, 'kind' | 'query'>): string {
  const [first] = parseTraceql(query, { gives: kind === 'search' ? 'spans' : 'metrics' }).diagnostics
  return first === undefined ? 'accepted' : renderTraceqlError(first, query, kind)
}

/** Returns the queries that are refused with another text than the reference's, or accepted against it. */
export function wrongRefusals(vectors: readonly TraceqlVector[]): readonly WrongRefusal[] {
  return vectors.flatMap((vector) => {
    const { id, query, status, error = '' } = vector
    const got = refusalOf(vector)
    const wanted = status === 200 ? 'accepted' : error
    return got === wanted ? [] : [{ id, query, got, wanted }]
  })
}
