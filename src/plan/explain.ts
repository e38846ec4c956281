/** What `explain` shows of one node: who runs it, what was pushed into it, and afterwards what it did. */
export interface ExplainTree {
  readonly kind: string
  readonly label: string
  /** `columnar`, `sqlite`, `rows`, `engine`. */
  readonly owner: string
  /** Why this owner and not the data's own; pushed filters; index look-ups. */
  readonly notes: readonly string[]
  readonly estimateRows: number | undefined
  /** After a run: rows out, milliseconds, and the owner's counters by name. */
  readonly measured: ExplainMeasure | undefined
  readonly inputs: readonly ExplainTree[]
}

export interface ExplainMeasure {
  readonly rows: number
  readonly milliseconds: number
  /** `segmentsTotal`, `segmentsSkipped`, `postingsRead`, `bytesTouched`, `rowsScanned` … */
  readonly counters: Readonly<Record<string, number>>
}
