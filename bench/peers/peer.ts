import { parseRfc3339 } from '../../src/base/index.ts'
import { medianMs } from '../measure.ts'
import type { Question } from '../questions.ts'

/** An answer row with names and plain values; times are nanoseconds. */
export type AnswerRow = Readonly<Record<string, unknown>>

export interface BoundQuestion {
  readonly question: Question
  /** Values of the question's placeholders: the offset of the deep page, and a trace id of the data. */
  readonly page: number
  readonly trace: string
  readonly fromNs: bigint
  readonly toNs: bigint
}

/** The options of a run that a peer needs. */
export interface PeerOptions {
  /** The data set as JSON lines. */
  readonly file: string
  /** The file or folder with the data, loaded already when it exists; without it data stay in memory. */
  readonly path?: string | undefined
  readonly rows: number
  readonly seed: number
  readonly bodies: string | undefined
  /** The number of threads of our own engine. */
  readonly threads: number
  /** The number of threads of the other engines. */
  readonly peerThreads: number
  /** A Python interpreter with polars. */
  readonly python: string | undefined
  /** The address of a running VictoriaLogs. */
  readonly logs: string | undefined
}

/** The first answer to a question, with a function that times later runs. */
export interface Asked {
  readonly rows: readonly AnswerRow[]
  /** Milliseconds of the first run, from the text to the last row. */
  readonly firstMs: number
  /** Returns the median milliseconds of later runs, from the prepared plan to the last row. */
  medianMs(budgetMs: number): Promise<number>
}

export interface PeerBytes {
  readonly residentBytes: number
  /** The bytes held before the data were loaded; missing in results of older runs. */
  readonly emptyBytes?: number | undefined
  /** Bytes on disk, for engines that store data in files. */
  readonly diskBytes?: number
}

/** An engine that holds the data and answers the questions. */
export interface Peer {
  /** Loads the data and resolves to the seconds that it took. */
  load(): Promise<number>
  /** Runs a question for the first time; `undefined` when the engine cannot answer it. */
  ask(bound: BoundQuestion): Promise<Asked | undefined>
  /** Returns the memory of its process, or of the server. */
  bytes(): Promise<PeerBytes>
  close(): Promise<void>
}

export type MakePeer = (options: PeerOptions) => Promise<Peer>

/** Complete JSON lines in memory of the engine, valid until its next query. */
export interface KeptLines {
  readonly text: () => string
}

/** The answer of an engine: rows, or JSON lines where they are wanted. */
export type Answer = readonly AnswerRow[] | string | KeptLines

/** Parses a JSON line as a row. Nanoseconds need more digits than a JSON number has. */
function rowOfLine(line: string): AnswerRow {
  const row = JSON.parse(line.replace(/"t":(\d+)/u, '"t":"$1"')) as Record<string, unknown>
  const { _time } = row
  return { ...row, ...(typeof _time === 'string' && { _time: parseRfc3339(_time) ?? _time }) }
}

/** Returns the rows of an answer; `rowOf` parses lines. */
function rowsOf(answer: Answer, rowOf: (line: string) => AnswerRow): readonly AnswerRow[] {
  if (typeof answer !== 'string' && !('text' in answer)) return answer
  const text = typeof answer === 'string' ? answer : answer.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(rowOf)
}

/**
 * Runs a question in an engine of this process. `prepare` does everything before the run. Lines are parsed after the
 * time was taken.
 */
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
