import type { RecordBatch, Schema } from '../../data/index.ts'
import type { Written } from '../terminal.ts'

/** Converts output to a string. */
export function textOf(written: string | Uint8Array): string {
  return typeof written === 'string' ? written : Buffer.from(written).toString()
}

/** Writes an answer batch by batch. */
export interface OutputFormat {
  readonly name: string
  /** `drawn` if the output contains colours and is otherwise printable. */
  readonly written?: Written
  /** Returns the text before the first batch. */
  readonly begin: (schema: Schema) => string
  /** Formats a batch. Bytes are UTF-8; the buffer is not reused. */
  readonly batch: (batch: RecordBatch) => string | Uint8Array
  readonly end: () => string | Promise<string>
}
