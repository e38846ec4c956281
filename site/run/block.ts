import type { Diagnostic } from '../../src/console/ask/requests.ts'

/** Query languages of blocks: both dialects of the log language, LogQL, PromQL, TraceQL, and JSON pipelines. */
export const blockLanguages = ['native', 'logsql', 'logql', 'promql', 'traceql', 'pipeline'] as const
export type BlockLanguage = (typeof blockLanguages)[number]

/** Formats in which a block prints its answer, a subset of those of `sluice query --format`. */
export const blockFormats = ['table', 'ndjson', 'raw', 'logfmt'] as const
export type BlockFormat = (typeof blockFormats)[number]

/** A file whose rows are loaded into a table. */
export interface BlockFile {
  readonly table: string
  /** Name of the file; the extension decides its format. */
  readonly name: string
  /** URL of the file, relative to the root of the site. */
  readonly path: string
}

/** A query of a page, with everything on which its answer depends. */
export interface Block {
  readonly language: BlockLanguage
  readonly query: string
  readonly files: readonly BlockFile[]
  readonly format: BlockFormat
  /**
   * Command line options by name, such as `since` or `time-field`. `lints=server` adds the advice that a server gives.
   */
  readonly options: Readonly<Record<string, string>>
  /** Maximum number of rows that are printed; the others are only counted. */
  readonly maxRows: number
}

/** The printed answer of a block. */
export interface BlockAnswer {
  /** Rows in the format of the block; empty if the query failed. */
  readonly text: string
  /** The plan as `sluice explain` prints it; empty if there is none. */
  readonly plan: string
  /** Errors, warnings and advice. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a file of the site by its path. */
export type ReadFile = (path: string) => Promise<Uint8Array>
