import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseTraceql, renderTraceqlError, type TraceqlEndpoint } from '../../src/lang/traceql/index.ts'

/** The part of a TraceQL vector that a parser test needs. */
export interface TraceqlVector {
  readonly id: string
  readonly kind: TraceqlEndpoint
  readonly query: string
  readonly status: number
  readonly error?: string
}

/**
 * A query whose parse result differs from the reference implementation: another error message, or an error on one side
 * only.
 */
export interface WrongRefusal {
  readonly id: string
  readonly query: string
  readonly got: string
  readonly wanted: string
}

export const traceqlVectors = resolve(import.meta.dirname, '../../../shared/vectors/traceql')

/** Returns the lines of a file of vectors; an empty list if the file does not exist. */
export function readTraceqlVectors(file: string): readonly TraceqlVector[] {
  const path = resolve(traceqlVectors, file)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as TraceqlVector)
}

/** Returns the body of the error response for a query, or `accepted`. */
export function refusalOf({ kind, query }: Pick<TraceqlVector, 'kind' | 'query'>): string {
  const [first] = parseTraceql(query, { gives: kind === 'search' ? 'spans' : 'metrics' }).diagnostics
  return first === undefined ? 'accepted' : renderTraceqlError(first, query, kind)
}

/**
 * Returns the queries with another error message than the reference implementation's, or with an error on one side
 * only.
 */
export function wrongRefusals(vectors: readonly TraceqlVector[]): readonly WrongRefusal[] {
  return vectors.flatMap((vector) => {
    const { id, query, status, error = '' } = vector
    const got = refusalOf(vector)
    const wanted = status === 200 ? 'accepted' : error
    return got === wanted ? [] : [{ id, query, got, wanted }]
  })
}
