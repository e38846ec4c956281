import { Instant, type Histogram } from '../../data/index.ts'
import type { Expr, FilterGrade, ScanRequest, Table } from '../../plan/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'
import { samplesTable } from '../domains/samples.ts'
import { defineTable } from '../tables/define-table.ts'
import { msRange } from './ms-range.ts'
import type { SampleSource } from './source.ts'

/** Strings for which a case-insensitive regular expression matches everything that the folded test matches. */
const plainText = /^[\w-]+$/

interface Graded {
  readonly grade: FilterGrade
  readonly matcher: LabelMatcher
}

/** Converts a condition on one label to a matcher; returns `undefined` when no matcher can represent it. */
function matcherOf(filter: Expr): Graded | undefined {
  const isNot = filter.kind === 'not'
  const inner = isNot ? filter.arg : filter
  if (inner.kind !== 'test' || inner.arg.kind !== 'column') return undefined
  const { name: label } = inner.arg
  const { test } = inner
  if (label === '_time' || label === 'value') return undefined
  const op = isNot ? '!=' : '='
  if (test.kind === 'empty') return { grade: 'exact', matcher: { label, op, value: '' } }
  if (test.kind !== 'equals' || typeof test.value !== 'string') return undefined
  const { value } = test
  if (!test.isFolded) return { grade: 'exact', matcher: { label, op, value } }
  // The folded test runs again: a regular expression may treat more letters as equal.
  return isNot || !plainText.test(value)
    ? undefined
    : { grade: 'superset', matcher: { label, op: '=~', value: `(?i:${value})` } }
}

/** Returns the value of a sample for a row; a histogram becomes a string with its count and sum. */
export function sampleValue(value: number, histogram: Histogram | undefined): number | string {
  return histogram === undefined ? value : `count ${histogram.count}, sum ${histogram.sum}`
}

async function* rowsOf(source: SampleSource, { predicate, range, budget }: ScanRequest): AsyncGenerator<object> {
  const matchers = predicate.flatMap((filter) => matcherOf(filter)?.matcher ?? [])
  const times = msRange(range)
  let heldBytes = 0
  const charge = (bytes: number): void => {
    budget.charge(bytes)
    heldBytes += bytes
  }
  try {
    const checkpoint = (): void => budget.checkpoint()
    const series = await source.select({ matchers, guard: undefined, ...times, checkpoint, charge })
    for (const { labels, timesMs, values, staleness, histograms } of series) {
      const named = labels.toRecord()
      for (const [i, timeMs] of timesMs.entries()) {
        if (staleness?.[i] === 1) continue
        const value = sampleValue(values[i] ?? NaN, histograms?.[i])
        yield { ...named, _time: new Instant(BigInt(timeMs) * 1_000_000n), value }
      }
    }
  } finally {
    budget.charge(-heldBytes)
  }
}

/**
 * Makes the table `samples` from metric samples: one row for each sample, with its labels, time and value. Conditions
 * on labels and time ranges are pushed down to the source. Staleness markers produce no rows.
 */
export function samplesTableOf(source: SampleSource): Table {
  const grade = (filter: Expr): FilterGrade => matcherOf(filter)?.grade ?? 'none'
  const table = defineTable({
    name: samplesTable.name,
    timeField: samplesTable.timeField,
    grade,
    scan: (request) => ({
      rows: rowsOf(source, request),
      applied: { predicate: request.predicate.filter((each) => grade(each) === 'exact'), range: true },
    }),
  })
  return Object.freeze({ ...table, definition: samplesTable })
}
