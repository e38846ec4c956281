import type { Diagnostic } from '../../src/console/ask/requests.ts'

/** Languages that a block can be written in: the two dialects of the log language, those of other servers, pipelines as JSON. */
export const blockLanguages = ['native', 'logsql', 'logql', 'promql', 'traceql', 'pipeline'] as const
export type BlockLanguage = (typeof blockLanguages)[number]

/** Formats in which a block prints its answer, those of `sluice query --format`. */
export const blockFormats = ['table', 'ndjson', 'raw', 'logfmt'] as const
export type BlockFormat = (typeof blockFormats)[number]

/** A file whose rows are those of a table. */
export interface BlockFile {
  readonly table: string
  /** Name of the file; its ending chooses how it is read. */
  readonly name: string
  /** Address of the file, relative to the root of the site. */
  readonly path: string
}

/** One query of a page, with everything on which its answer depends. */
export interface Block {
  readonly language: BlockLanguage
  readonly query: string
  readonly files: readonly BlockFile[]
  readonly format: BlockFormat
  /** Options of the command line by their names, such as `since` or `time-field`. `lints=server`: also advice for servers. */
  readonly options: Readonly<Record<string, string>>
  /** Rows that are printed at most; the others are counted. */
  readonly maxRows: number
}

/** The answer of a block as it is printed. */
export interface BlockAnswer {
  /** The rows in the format of the block; empty for a query that has no answer. */
  readonly text: string
  /** The plan as `sluice explain` prints it; empty if there is none. */
  readonly plan: string
  /** Errors, warnings and advice. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a file of the site by its path. */
export type ReadFile = (path: string) => Promise<Uint8Array>
