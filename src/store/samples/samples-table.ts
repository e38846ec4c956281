import { Instant, type Histogram } from '../../data/index.ts'
import type { Expr, FilterGrade, ScanRequest, Table } from '../../plan/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'
import { samplesTable } from '../domains/samples.ts'
import { defineTable } from '../tables/define-table.ts'
import { msRange } from './ms-range.ts'
import type { SampleSource } from './source.ts'

/** Matches strings whose case-insensitive regular expression accepts every value that the folded comparison accepts. */
const plainText = /^[\w-]+$/

interface Graded {
  readonly grade: FilterGrade
  readonly matcher: LabelMatcher
}

/**
 * Returns a matcher for a condition on one label, with its grade; `undefined` if no matcher can represent the
 * condition.
 */
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
  // The folded comparison runs again on the results, because the regular expression may accept more letters as equal.
  return isNot || !plainText.test(value)
    ? undefined
    : { grade: 'superset', matcher: { label, op: '=~', value: `(?i:${value})` } }
}

/** Returns the value of a sample for a row. A histogram becomes a string with its count and sum. */
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
 * Returns the table `samples` over a source: one row per sample, with its labels, time and value. Conditions on labels
 * and time are pushed down to the source. Staleness markers produce no rows.
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
