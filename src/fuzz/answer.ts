import { SluiceError } from '../base/index.ts'
import { Instant, JsonText, toText, type Row, type Value } from '../data/index.ts'
import type { QueryResult } from '../engine/index.ts'
import { visit, type LogicalPlan } from '../plan/index.ts'
import { readRows } from '../engine/index.ts'

/** What a query came to: rows as texts that tell types apart, or the code of the error. */
export type Answer = { readonly rows: readonly string[] } | { readonly error: string }

function valueText(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Instant) return `@${value.ns}`
  if (value instanceof JsonText) return `json ${value.json}`
  return typeof value === 'boolean' ? String(value) : `#${toText(value)}`
}

/** Equal for rows of equal fields, types and values; the order of the fields does not count. */
export function rowText(row: Row): string {
  return [...row]
    .map(([name, value]) => `${JSON.stringify(name)}: ${valueText(value)}`)
    .sort()
    .join(', ')
}

/** Runs a query to its end. An error that is not the project's own is thrown: it is a bug by itself. */
export async function answerOf(run: () => Pick<QueryResult, 'batches'>): Promise<Answer> {
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
 * Where two answers differ, in words; `undefined` when they are equal. Numbers are equal up to `tolerance`, which only sums of
 * floats that another database adds need.
 */
export function difference(a: Answer, b: Answer, tolerance = 0): string | undefined {
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

/** What came of a query, for the counts of a run. */
export function answerNotes(answer: Answer): readonly string[] {
  if ('error' in answer) return ['refused', `refused: ${answer.error}`]
  return answer.rows.length === 0 ? ['empty'] : []
}

/** A sample is of stored records; rows that came from another backend are none, so one above them is refused (grammar/semantics.md). */
export function isSampleRefused(answer: Answer, planOf: () => LogicalPlan): boolean {
  if (!('error' in answer) || answer.error !== 'engine/unsupported-node') return false
  let hasSample = false
  visit(planOf(), (node) => {
    hasSample ||= node.kind === 'sample'
  })
  return hasSample
}
