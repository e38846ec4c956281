import type { Diagnostic, LogLanguage, QueryLanguage, Span } from '../ask/requests.ts'

/** A query text and the table that it reads. */
export interface TextRequest {
  readonly text: string
  readonly table: string
  readonly dialect: QueryLanguage
}

export interface OffsetRequest extends TextRequest {
  readonly offset: number
}

export interface Colour extends Span {
  readonly kind: string
}

export interface Completions {
  readonly span: Span
  /** True if names from the data can be offered here in addition to `items`. */
  readonly takesNames?: boolean | undefined
  readonly items: readonly {
    readonly label: string
    readonly kind: string
    readonly detail: string
    readonly insertText: string
  }[]
}

/** Fields and values that occur in the data, for completion and hints. */
export interface KnownData {
  readonly fields: readonly string[]
  /** Values of fields with few distinct ones, most frequent first. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** A query over logs with its position. */
export interface LogTextRequest extends TextRequest {
  readonly dialect: LogLanguage
}

/** Request to add a clicked value as a condition to a query. */
export interface NarrowRequest extends LogTextRequest {
  readonly field: string
  readonly value: string
  readonly isExcluded: boolean
}

/** Kind of rows in an answer. */
export interface AnswerShape {
  /** `groups`: each row is the result of a group of rows. */
  readonly kind: 'rows' | 'groups'
  /** Columns computed for each group; empty if unknown. */
  readonly values: readonly string[]
}

export const ROWS: AnswerShape = { kind: 'rows', values: [] }

/** Language service of the editor. It runs in a thread of its own and makes no requests. */
export interface LanguageMethods {
  check(request: TextRequest): Promise<readonly Diagnostic[]>
  colours(request: TextRequest): Promise<readonly Colour[]>
  complete(request: OffsetRequest): Promise<Completions>
  /** Returns documentation as Markdown; `undefined` where there is none. */
  hover(request: OffsetRequest): Promise<{ readonly span: Span; readonly markdown: string } | undefined>
  /** Returns the formatted text; unchanged if it has errors. */
  layout(request: TextRequest): Promise<string>
  /** Adds a filter to the query; comments and formatting of the other parts are unchanged. */
  narrow(request: NarrowRequest): Promise<string>
  shape(request: LogTextRequest): Promise<AnswerShape>
  know(request: KnownData): Promise<void>
}
