import type { ShownRow } from '../ask/requests.ts'

/** The rows of one answer, each as JSON text. */
export interface AnswerRows {
  readonly count: number
  line(row: number): string
  /** Returns a row as the page shows it, if that needs no text of the whole row. */
  shown?(row: number, maxChars: number, fields: ReadonlySet<string> | undefined): ShownRow
}
