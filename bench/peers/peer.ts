import { parseRfc3339 } from '../../src/base/index.ts'
import { medianMs } from '../measure.ts'
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

/** What a peer needs to know of the run. */
export interface PeerOptions {
  /** The data set as JSON lines. */
  readonly file: string
  /** The file or folder where it keeps its data, already loaded where that is there; in memory where there is none. */
  readonly path?: string | undefined
  readonly rows: number
  readonly seed: number
  readonly bodies: string | undefined
  /** Threads that our own engine may use. */
  readonly threads: number
  /** Threads that the other engines may use. */
  readonly peerThreads: number
  /** An interpreter of Python that has polars. */
  readonly python: string | undefined
  /** The address of a running server of the log database that speaks our query language. */
  readonly logs: string | undefined
}

/** A question's first answer, which later times are taken from. */
export interface Asked {
  readonly rows: readonly AnswerRow[]
  /** Milliseconds from the text to the last row when asked for the first time. */
  readonly firstMs: number
  /** Median milliseconds of later runs, from the prepared plan to the last row. */
  medianMs(budgetMs: number): Promise<number>
}

export interface PeerBytes {
  readonly residentBytes: number
  /** Of these, what was held before the data were loaded; not told by older runs. */
  readonly emptyBytes?: number | undefined
  /** Of engines that keep their data in files. */
  readonly diskBytes?: number
}

/** An engine that holds the data and answers the questions. */
export interface Peer {
  /** Loads the data; gives the seconds it took. */
  load(): Promise<number>
  /** Asks for the first time; `undefined` when this engine has no such question. */
  ask(bound: BoundQuestion): Promise<Asked | undefined>
  /** What its process holds now, that of the server where it is one. */
  bytes(): Promise<PeerBytes>
  close(): Promise<void>
}

export type MakePeer = (options: PeerOptions) => Promise<Peer>

/** JSON lines that are complete in memory of the engine, until it is asked again. */
export interface KeptLines {
  readonly text: () => string
}

/** What an engine gives: rows, or where JSON lines are wanted these. */
export type Answer = readonly AnswerRow[] | string | KeptLines

/** A JSON line as a row. Nanoseconds are beyond what a JSON number keeps. */
function rowOfLine(line: string): AnswerRow {
  const row = JSON.parse(line.replace(/"t":(\d+)/u, '"t":"$1"')) as Record<string, unknown>
  const { _time } = row
  return { ...row, ...(typeof _time === 'string' && { _time: parseRfc3339(_time) ?? _time }) }
}

/** The rows of an answer, lines being read by `rowOf`. */
function rowsOf(answer: Answer, rowOf: (line: string) => AnswerRow): readonly AnswerRow[] {
  if (typeof answer !== 'string' && !('text' in answer)) return answer
  const text = typeof answer === 'string' ? answer : answer.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(rowOf)
}

/** Asks an engine of this process: `prepare` does everything up to running. Lines are read when the time has been taken. */
export async function askHere(prepare: () => Promise<() => Promise<Answer>>, rowOf = rowOfLine): Promise<Asked> {
  const startMs = performance.now()
  const run = await prepare()
  const answer = await run()
  const firstMs = performance.now() - startMs
  return { rows: rowsOf(answer, rowOf), firstMs, medianMs: (budgetMs) => medianMs(run, budgetMs) }
}

export function fillSql(sql: string, bound: BoundQuestion): string {
  return sql
    .replaceAll('$from', String(bound.fromNs))
    .replaceAll('$to', String(bound.toNs))
    .replaceAll('$page', String(bound.page))
    .replaceAll('$trace', bound.trace)
}
