import type { Labels } from '../../data/index.ts'

/** Names and values that a template can use. Times are milliseconds since 1970. */
export interface TemplateData {
  /** `$labels`, `.Labels`, `labels`. */
  readonly labels: Labels
  /** `$value`, `.Value`; in Jinja `value`. */
  readonly value: number
  /** `$values.<name>`, `.Values.<name>`; in Jinja `values.<name>`. */
  readonly values: ReadonlyMap<string, TemplateValue>
  readonly externalLabels: Labels
  /** Base URL of links to this server. */
  readonly externalUrl: string
  /** Evaluation time, for `now` and for queries inside the template. */
  readonly nowMs: number
}

/** The value of one query, reducer or threshold. */
export interface TemplateValue {
  readonly value: number
  readonly labels: Labels
  /** Further results of a query that has several, by column name. */
  readonly columns?: ReadonlyMap<string, number>
}

/** One series of the answer to a query inside a template. */
export interface TemplateSample {
  readonly labels: Labels
  readonly value: number
}

/**
 * Runs a query that a template contains, at an evaluation time in milliseconds since 1970. A rejection makes the
 * expansion fail with the message of the error.
 */
export type TemplateQuery = (text: string, nowMs: number) => Promise<readonly TemplateSample[]>
