import { work } from '../../../base/index.ts'
import { ABSENT, FLOAT } from '../columns.ts'
import type { SeriesAggregation, SeriesGroup } from '../definition.ts'
import { histogramAverage, histogramTotal } from '../histogram/histogram-fold.ts'
import { meanOf } from '../moving.ts'
import { foldHistograms, groupAggregation, mentionIgnored } from './group-columns.ts'

/** Compensated sums of floats and the number of floats, by step. */
interface Totals {
  readonly sums: Float64Array
  readonly rests: Float64Array
  readonly counts: Int32Array
}

/** Maximum number of steps for which arrays are reused. */
const KEPT_STEPS = 4096

function newTotals(stepCount: number): Totals {
  return { sums: new Float64Array(stepCount), rests: new Float64Array(stepCount), counts: new Int32Array(stepCount) }
}

/** Arrays that all groups reuse. Most groups are small, so allocating arrays would take longer than adding. */
let kept: Totals | undefined

function totalsFor(stepCount: number): Totals {
  return stepCount > KEPT_STEPS ? newTotals(stepCount) : (kept ??= newTotals(KEPT_STEPS))
}

/** Limit for sums: below it, the intermediate results of error compensation cannot overflow. */
const FAR_FROM_OVERFLOW = 2 ** 1022

/** Returns the rounding error of `sum`, the sum of two numbers. */
function lost(a: number, b: number, sum: number): number {
  return Math.abs(a) >= Math.abs(b) ? a - sum + b : b - sum + a
}

/** Sums the floats of all members of a group. The result is valid until the next call. */
function addUp({ members }: SeriesGroup, stepCount: number): Totals {
  const totals = totalsFor(stepCount)
  const { sums, rests, counts } = totals
  for (const [i, { values, kinds }] of members.entries()) {
    work(stepCount >>> 4)
    if (i === 0) {
      for (let step = 0; step < stepCount; step++) {
        const isFloat = kinds[step] === FLOAT
        sums[step] = isFloat ? values[step] : 0
        rests[step] = 0
        counts[step] = isFloat ? 1 : 0
      }
      continue
    }
    for (let step = 0; step < stepCount; step++) {
      if (kinds[step] !== FLOAT) continue
      const value = values[step]
      const sum = sums[step]
      const total = sum + value
      if (Math.abs(total) < FAR_FROM_OVERFLOW) {
        // Computes the same as `lost`, without its branch, which is hard to predict.
        const added = total - sum
        rests[step] += sum - (total - added) + (value - added)
      } else if (total === Infinity || total === -Infinity) rests[step] = 0
      else rests[step] += lost(sum, value, total)
      sums[step] = total
      counts[step]++
    }
  }
  return totals
}

const sum = groupAggregation('sum', (group, out, call) => {
  const { count: stepCount } = call.steps
  const { sums, rests, counts } = addUp(group, stepCount)
  for (let step = 0; step < stepCount; step++) {
    if (counts[step] === 0) continue
    out.values[step] = sums[step] + rests[step]
    out.kinds[step] = FLOAT
  }
  foldHistograms(group, out, call, histogramTotal)
})

const avg = groupAggregation('avg', (group, out, call) => {
  const { count: stepCount } = call.steps
  const { sums, rests, counts } = addUp(group, stepCount)
  for (let step = 0; step < stepCount; step++) {
    const count = counts[step]
    if (count === 0) continue
    const isFinite = Math.abs(sums[step]) < Infinity
    out.values[step] = isFinite ? sums[step] / count + rests[step] / count : meanWithoutOverflow(group, step, count)
    out.kinds[step] = FLOAT
  }
  foldHistograms(group, out, call, histogramAverage)
})

function meanWithoutOverflow(group: SeriesGroup, step: number, count: number): number {
  const values = new Float64Array(count)
  let size = 0
  for (const member of group.members) if (member.kinds[step] === FLOAT) values[size++] = member.values[step]
  return meanOf(values, 0, size)
}

const count = groupAggregation(
  'count',
  (group, out) => {
    for (const { kinds } of group.members) {
      for (let step = 0; step < kinds.length; step++) {
        if (kinds[step] === ABSENT) continue
        out.values[step]++
        out.kinds[step] = FLOAT
      }
    }
  },
  true,
)

const group = groupAggregation(
  'group',
  (members, out) => {
    for (const { kinds } of members.members) {
      for (let step = 0; step < kinds.length; step++) {
        if (kinds[step] === ABSENT) continue
        out.values[step] = 1
        out.kinds[step] = FLOAT
      }
    }
  },
  true,
)

function extreme(name: string, isBetter: (candidate: number, best: number) => boolean): SeriesAggregation {
  return groupAggregation(name, (group, out, call) => {
    mentionIgnored(group, name, call)
    for (const { values, kinds } of group.members) {
      for (let step = 0; step < kinds.length; step++) {
        if (kinds[step] !== FLOAT) continue
        const best = out.values[step]
        if (out.kinds[step] === ABSENT || best !== best || isBetter(values[step], best)) out.values[step] = values[step]
        out.kinds[step] = FLOAT
      }
    }
  })
}

/**
 * Defines an aggregation of the population variance, by Welford's method. The result is NaN if the first value is not
 * finite.
 */
function variance(name: string, finish: (variance: number) => number): SeriesAggregation {
  return groupAggregation(name, (group, out, call) => {
    mentionIgnored(group, name, call)
    const stepCount = call.steps.count
    const counts = new Int32Array(stepCount)
    const means = new Float64Array(stepCount)
    const spreads = new Float64Array(stepCount)
    for (const { values, kinds } of group.members) {
      for (let step = 0; step < stepCount; step++) {
        if (kinds[step] !== FLOAT) continue
        const value = values[step]
        counts[step]++
        const delta = value - means[step]
        means[step] += delta / counts[step]
        spreads[step] += delta * (value - means[step])
        if (counts[step] === 1) spreads[step] = Math.abs(value) < Infinity ? 0 : NaN
      }
    }
    for (let step = 0; step < stepCount; step++) {
      if (counts[step] === 0) continue
      out.values[step] = finish(spreads[step] / counts[step])
      out.kinds[step] = FLOAT
    }
  })
}

export const foldAggregations: readonly SeriesAggregation[] = [
  sum,
  avg,
  count,
  group,
  extreme('min', (candidate, best) => candidate < best),
  extreme('max', (candidate, best) => candidate > best),
  variance('stdvar', (value) => value),
  variance('stddev', Math.sqrt),
]
