import type { RecordBatch, Schema } from '../../data/index.ts'

/** Writes an answer piece by piece. */
export interface OutputFormat {
  readonly name: string
  /** Text before the first batch. */
  readonly begin: (schema: Schema) => string
  readonly batch: (batch: RecordBatch) => string
  readonly end: () => string | Promise<string>
}
