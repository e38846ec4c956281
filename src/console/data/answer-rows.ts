import type { ShownRow } from '../ask/requests.ts'

/** Rows of an answer, each as JSON text. */
export interface AnswerRows {
  readonly count: number
  line(row: number): string
  /** Formats a row for display without serializing it completely. Optional. */
  shown?(row: number, maxChars: number, fields: ReadonlySet<string> | undefined): ShownRow
}
