import { AskError } from '../ask/ask-error.ts'
import type { ExportRequest, QueryState, RowsRequest, ShownRow, ShownValue, ValueRequest } from '../ask/requests.ts'
import type { SpanLabel, SpansRequest, Trace } from '../ask/traces.ts'
import type { AnswerRows } from './answer-rows.ts'
import { csvOf } from './csv.ts'
import { parsedRow, shownRow, shownValue } from './shown-row.ts'
import { KeptTrace } from './traces/kept-trace.ts'

/** Answers that the page shows, by number. */
export class KeptRows {
  readonly #answers = new Map<number, AnswerRows>()
  readonly #traces = new Map<number, KeptTrace>()

  keep(answer: number, rows: AnswerRows): void {
    this.#answers.set(answer, rows)
  }

  drop({ answer }: { readonly answer: number }): void {
    this.#answers.delete(answer)
    this.#traces.delete(answer)
  }

  rows({ answer, from, to, maxChars, fields }: RowsRequest): readonly ShownRow[] {
    const rows = this.#of(answer)
    const wanted = fields === undefined ? undefined : new Set(fields)
    const found: ShownRow[] = []
    for (let i = Math.max(0, from); i < Math.min(to, rows.count); i++)
      found.push(rows.shown?.(i, maxChars, wanted) ?? shownRow(rows.line(i), maxChars, wanted))
    return found
  }

  value({ answer, row, field, from = 0, to = Infinity }: ValueRequest): ShownValue {
    const values = parsedRow(this.#of(answer).line(row))
    const whole = shownValue(field, values[field] ?? null, Infinity)
    return { ...whole, text: whole.text.slice(from, to), wholeLength: whole.text.length }
  }

  export({ answer, format }: ExportRequest): Blob {
    const rows = this.#of(answer)
    if (format === 'csv') return new Blob([...csvOf(rows.count, (row) => rows.line(row))], { type: 'text/csv' })
    const lines: string[] = []
    for (let i = 0; i < rows.count; i++) lines.push(`${rows.line(i)}\n`)
    return new Blob(lines, { type: 'application/x-ndjson' })
  }

  /** Builds the span tree of an answer whose rows are spans. */
  trace({ answer }: { readonly answer: number }): Trace {
    const trace = new KeptTrace(this.#of(answer))
    this.#traces.set(answer, trace)
    return trace.shape()
  }

  spans(request: SpansRequest): readonly SpanLabel[] {
    return this.#traces.get(request.answer)?.labels(request) ?? []
  }

  #of(answer: number): AnswerRows {
    const rows = this.#answers.get(answer)
    if (rows === undefined)
      throw new AskError({ kind: 'other', message: 'These rows are gone; run the query again.', diagnostics: [] })
    return rows
  }
}

/** Collects the progress of a running query and reports it at most every `TELL_MS` milliseconds. */
export class StateTeller {
  readonly #onEvent: (state: QueryState) => void
  readonly #startMs = performance.now()
  readonly #fields = new Set<string>()
  #toldMs = -Infinity

  constructor(onEvent: (state: QueryState) => void) {
    this.#onEvent = onEvent
  }

  /** Adds the field names of a row. */
  meet(names: Iterable<string>): void {
    for (const name of names) this.#fields.add(name)
  }

  state(rows: number, bytes: number, end: Pick<QueryState, 'isDone' | 'isCut' | 'advice'>): QueryState {
    return { rows, bytes, fields: [...this.#fields], elapsedMs: performance.now() - this.#startMs, ...end }
  }

  tell(rows: number, bytes: number): void {
    const nowMs = performance.now()
    if (nowMs - this.#toldMs < TELL_MS) return
    this.#toldMs = nowMs
    this.#onEvent(this.state(rows, bytes, { isDone: false, isCut: false, advice: [] }))
  }
}

/** Interval between progress reports, ms. Faster changes would flicker. */
const TELL_MS = 100

/**
 * Number of rows at the start of an answer whose field names are collected. Other fields appear when their rows are
 * shown.
 */
export const ROWS_WITH_KNOWN_FIELDS = 200
