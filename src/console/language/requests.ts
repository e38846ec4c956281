import type { Diagnostic, Dialect, QueryLanguage, Span } from '../ask/requests.ts'

/** A query text with its place. */
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
  readonly items: readonly {
    readonly label: string
    readonly kind: string
    readonly detail: string
    readonly insertText: string
  }[]
}

/** Fields and values that the data have, for completion and hints. */
export interface KnownData {
  readonly fields: readonly string[]
  /** Values of fields with few, most frequent first. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** A query of the log language with its place. */
export interface LogTextRequest extends TextRequest {
  readonly dialect: Dialect
}

/** How a click on a value changes a query. */
export interface NarrowRequest extends LogTextRequest {
  readonly field: string
  readonly value: string
  readonly isExcluded: boolean
}

/** The kind of rows of an answer. */
export interface AnswerShape {
  /** `groups`: each row stands for a group of rows. */
  readonly kind: 'rows' | 'groups'
  /** Columns that were computed for each group; empty if that is not known. */
  readonly values: readonly string[]
}

export const ROWS: AnswerShape = { kind: 'rows', values: [] }

/** The language service of the editor. It runs beside the page and asks nobody. */
export interface LanguageMethods {
  check(request: TextRequest): Promise<readonly Diagnostic[]>
  colours(request: TextRequest): Promise<readonly Colour[]>
  complete(request: OffsetRequest): Promise<Completions>
  /** Documentation as Markdown; `undefined` where there is none. */
  hover(request: OffsetRequest): Promise<{ readonly span: Span; readonly markdown: string } | undefined>
  /** The text in its usual layout; the text itself if it has errors. */
  layout(request: TextRequest): Promise<string>
  /** The query with one more filter; comments and layout of the rest stay. */
  narrow(request: NarrowRequest): Promise<string>
  shape(request: LogTextRequest): Promise<AnswerShape>
  know(request: KnownData): Promise<void>
}
