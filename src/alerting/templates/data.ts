import type { Labels } from '../../data/index.ts'

/** Data that a template can use. Times are Unix ms. */
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
  /** Other result columns of a query, by name. */
  readonly columns?: ReadonlyMap<string, number>
}

/** A series in the answer to a query inside a template. */
export interface TemplateSample {
  readonly labels: Labels
  readonly value: number
}

/**
 * Runs a query inside a template at an evaluation time, Unix ms. If it rejects, the expansion fails with the message of
 * the error.
 */
export type TemplateQuery = (text: string, nowMs: number) => Promise<readonly TemplateSample[]>
