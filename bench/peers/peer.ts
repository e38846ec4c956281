import type { Question } from '../questions.ts'

/** An answer row: names and plain values; times as ns. */
export type AnswerRow = Readonly<Record<string, unknown>>

export interface BoundQuestion {
  readonly question: Question
  /** Placeholders of the question: the deep page's offset and a trace id of the data. */
  readonly page: number
  readonly trace: string
  readonly fromNs: bigint
  readonly toNs: bigint
}

/** An engine that holds the data and answers the questions. */
export interface Peer {
  readonly name: string
  /** Loads the data; gives the seconds it took. */
  load(): Promise<number>
  /** Everything up to, but not, running: the result runs the prepared plan to the last materialised row. */
  prepare(bound: BoundQuestion): Promise<() => Promise<readonly AnswerRow[]>>
  close(): Promise<void>
}

export function fillSql(sql: string, bound: BoundQuestion): string {
  return sql
    .replaceAll('$from', String(bound.fromNs))
    .replaceAll('$to', String(bound.toNs))
    .replaceAll('$page', String(bound.page))
    .replaceAll('$trace', bound.trace)
}
