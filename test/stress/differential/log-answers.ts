import type { Refusal } from './server.ts'
import type { Pair } from './judge.ts'

/** Fields of a row by name, all as strings, without empty fields. */
export type AnswerRow = Readonly<Record<string, string>>

export type LogAnswer = Refusal | { readonly rows: readonly AnswerRow[] }

/** Returns a string that is equal for equal rows: the row's fields sorted by name. */
export function rowKey(row: AnswerRow): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function firstOnlyIn(keys: readonly string[], others: readonly string[]): string | undefined {
  const left = new Map<string, number>()
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1)
  return keys.find((key) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

/** Describes how two answers differ; `undefined` if they do not. With `isOrdered` the order of rows counts. */
export function logDifference({ ours, theirs }: Pair<LogAnswer>, isOrdered: boolean): string | undefined {
  if ('refused' in ours || 'refused' in theirs) {
    if ('refused' in ours && 'refused' in theirs) return undefined
    const [a, b] = [ours, theirs].map((answer) =>
      'refused' in answer ? `refused (${answer.refused.slice(0, 300)})` : `${answer.rows.length} rows`,
    )
    return `ours: ${a}; theirs: ${b}`
  }
  const [a, b] = [ours.rows.map(rowKey), theirs.rows.map(rowKey)]
  const counts = a.length === b.length ? `${a.length} rows` : `${a.length} rows against ${b.length}`
  const [here, there] = [firstOnlyIn(a, b), firstOnlyIn(b, a)]
  if (here !== undefined || there !== undefined)
    return `${counts}; only ours: ${here ?? 'none'}; only theirs: ${there ?? 'none'}`
  const at = isOrdered ? a.findIndex((key, i) => key !== b[i]) : -1
  return at === -1 ? undefined : `${counts} in another order; row ${at}: ${a[at]} against ${b[at]}`
}
