import type { RecordBatch, Schema } from '../../data/index.ts'
import type { Written } from '../terminal.ts'

/** What a format or a command has written, as text. */
export function textOf(written: string | Uint8Array): string {
  return typeof written === 'string' ? written : Buffer.from(written).toString()
}

/** Writes an answer piece by piece. */
export interface OutputFormat {
  readonly name: string
  /** Whether what it writes has colours, and on a terminal is printable otherwise. */
  readonly written?: Written
  /** Text before the first batch. */
  readonly begin: (schema: Schema) => string
  /** Bytes are UTF-8 that nobody writes to again. */
  readonly batch: (batch: RecordBatch) => string | Uint8Array
  readonly end: () => string | Promise<string>
}
