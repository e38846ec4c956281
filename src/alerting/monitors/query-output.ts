import { Labels } from '../../data/index.ts'
import { MAX_LABEL_CHARS } from '../alert.ts'
import type { Value } from '../conditions/index.ts'

/** A number at a time, Unix ms. For a bucket, the time is the end of the bucket. */
export interface QueryPoint {
  readonly timeMs: number
  readonly value: Value
}

/** The points of one label set, oldest first. */
export interface QuerySeries {
  readonly labels: Labels
  readonly points: readonly QueryPoint[]
  /** Other result columns of the newest row, for templates. */
  readonly columns: ReadonlyMap<string, Value>
}

/** The answer of one query of a monitor. */
export interface QueryOutput {
  readonly name: string
  readonly series: readonly QuerySeries[]
  /** True if the value is the number of rows, because the search does not aggregate (M11). */
  readonly countsRows: boolean
}

/** Error because of which a monitor has no answers. */
export interface FailedOutcome {
  readonly error: string
  /** True if a later attempt may succeed (M15). */
  readonly isTemporary?: true
}

/** Answers of all queries of a monitor, or the error that prevented them. */
export type QueryOutcome = { readonly outputs: readonly QueryOutput[] } | FailedOutcome

/** Maximum number of label sets in a query result; more is an error of the monitor (M16). */
export const MAX_LABEL_SETS = 1000

/** Sums the length of the labels of one evaluation. */
export class LabelBudget {
  #chars = 0

  /** Throws QueryFault if the labels of the evaluation exceed `MAX_LABEL_CHARS`. */
  add({ chars }: Labels): void {
    this.#chars += chars
    if (this.#chars <= MAX_LABEL_CHARS) return
    throw new QueryFault(`the labels have more than ${MAX_LABEL_CHARS} characters in all; group by shorter fields`)
  }
}

/** Answers from which no alert can be made. The message is shown to users. */
export class QueryFault extends Error {}

/**
 * Returns the error for two results with one label set. The message shows no label values, since some readers may not
 * see these rows (M64).
 */
export function duplicateLabels({ names }: Labels): QueryFault {
  return new QueryFault(`duplicate label set: two results have equal values of ${names.join(', ') || 'no label'}`)
}

/** Groups points by label set; they may arrive in any order. */
export class SeriesCollector {
  readonly #byLabels = new Map<string, { labels: Labels; points: QueryPoint[]; columns: ReadonlyMap<string, Value> }>()
  readonly #budget = new LabelBudget()

  /** Throws QueryFault for too many label sets, or if the total length of labels is too large. */
  add(labels: Labels, point: QueryPoint, columns: ReadonlyMap<string, Value> = new Map()): void {
    const known = this.#byLabels.get(labels.key)
    if (known === undefined) {
      if (this.#byLabels.size === MAX_LABEL_SETS)
        throw new QueryFault(`the query gives more than ${MAX_LABEL_SETS} label sets; group by fewer fields`)
      this.#budget.add(labels)
      this.#byLabels.set(labels.key, { labels, points: [point], columns })
      return
    }
    known.points.push(point)
    known.columns = columns
  }

  /** Throws QueryFault if a label set has two points at the same time. */
  series(): readonly QuerySeries[] {
    return [...this.#byLabels.values()].map(({ labels, points, columns }) => {
      const sorted = points.toSorted((a, b) => a.timeMs - b.timeMs)
      if (sorted.some(({ timeMs }, i) => timeMs === sorted[i + 1]?.timeMs)) throw duplicateLabels(labels)
      return { labels, points: sorted, columns }
    })
  }
}
