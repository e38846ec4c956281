import { SluiceError } from '../base/index.ts'
import { Instant, JsonText, toText, type Row, type Value } from '../data/index.ts'
import type { QueryResult } from '../engine/index.ts'
import { visit, type LogicalPlan } from '../plan/index.ts'
import { readRows } from '../engine/index.ts'

/** The answer to one query: its rows as texts in which values of different types differ, or the code of its error. */
export type EngineAnswer = { readonly rows: readonly string[] } | { readonly error: string }

function valueText(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Instant) return `@${value.ns}`
  if (value instanceof JsonText) return `json ${value.json}`
  return typeof value === 'boolean' ? String(value) : `#${toText(value)}`
}

/**
 * Writes a row as a text. Two rows have the same text exactly when they have the same fields, types and values; the
 * order of fields does not count.
 */
export function rowText(row: Row): string {
  return [...row]
    .map(([name, value]) => `${JSON.stringify(name)}: ${valueText(value)}`)
    .sort()
    .join(', ')
}

/**
 * Runs a query and reads all of its rows. A `SluiceError` is an answer; any other error is a bug of Sluice and is
 * thrown again.
 */
export async function answerOf(run: () => Pick<QueryResult, 'batches'>): Promise<EngineAnswer> {
  try {
    const rows: string[] = []
    for await (const row of readRows(run().batches())) rows.push(rowText(row))
    return { rows }
  } catch (error) {
    if (error instanceof SluiceError) return { error: error.code }
    throw error
  }
}

const NUMBER = /#([\w.+-]+)/g

function isSameRow(a: string, b: string | undefined, tolerance: number): boolean {
  if (a === b) return true
  if (tolerance === 0 || b === undefined || a.replaceAll(NUMBER, '#') !== b.replaceAll(NUMBER, '#')) return false
  const others = [...b.matchAll(NUMBER)].map(([, number]) => number)
  return [...a.matchAll(NUMBER)].every(
    ([, number], i) => number === others[i] || Math.abs(Number(number) - Number(others[i])) <= tolerance,
  )
}

/**
 * Returns a sentence on the first difference between two answers, or `undefined` when they are equal. Numbers count as
 * equal when they differ by at most `tolerance`, which is above 0 only for sums of floats computed by another database.
 */
export function difference(a: EngineAnswer, b: EngineAnswer, tolerance = 0): string | undefined {
  if ('error' in a || 'error' in b) {
    const [left, right] = [a, b].map((answer) =>
      'error' in answer ? `error ${answer.error}` : `${answer.rows.length} rows`,
    )
    return left === right ? undefined : `${left} against ${right}`
  }
  const index = a.rows.findIndex((row, i) => !isSameRow(row, b.rows[i], tolerance))
  if (index === -1 && a.rows.length === b.rows.length) return undefined
  const at = index === -1 ? a.rows.length : index
  return `${a.rows.length} against ${b.rows.length} rows; row ${at}: ${a.rows[at] ?? 'none'} against ${b.rows[at] ?? 'none'}`
}

/** Returns notes on the answer of a query, which the report of a run counts. */
export function answerNotes(answer: EngineAnswer): readonly string[] {
  if ('error' in answer) return ['refused', `refused: ${answer.error}`]
  return answer.rows.length === 0 ? ['empty'] : []
}

/**
 * True if the answer is the error that a sample is not supported. Only stored records can be sampled, so sampling rows
 * that have left their backend is an error (grammar/semantics.md).
 */
export function isSampleRefused(answer: EngineAnswer, planOf: () => LogicalPlan): boolean {
  if (!('error' in answer) || answer.error !== 'engine/unsupported-node') return false
  let hasSample = false
  visit(planOf(), (node) => {
    hasSample ||= node.kind === 'sample'
  })
  return hasSample
}
