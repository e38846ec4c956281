import { BOUNDS, type PlainSeries } from './data.ts'

/** The code that one would write without an engine: loops over typed arrays, each for one question. */

export interface HandSteps {
  readonly startMs: number
  readonly stepMs: number
  readonly count: number
}

const LOOKBACK_MS = 300_000

export function raw(series: readonly PlainSeries[], steps: HandSteps): Float64Array {
  const out = new Float64Array(series.length * steps.count).fill(NaN)
  series.forEach(({ timesMs, values }, s) => {
    let next = 0
    for (let i = 0; i < steps.count; i++) {
      const timeMs = steps.startMs + i * steps.stepMs
      while (next < timesMs.length && timesMs[next] <= timeMs) next++
      if (next > 0 && timesMs[next - 1] > timeMs - LOOKBACK_MS) out[s * steps.count + i] = values[next - 1]
    }
  })
  return out
}

/** Calls `reduce` with each window of each series. */
function overWindows(
  series: readonly PlainSeries[],
  steps: HandSteps,
  rangeMs: number,
  reduce: (series: PlainSeries, from: number, to: number, startMs: number, endMs: number) => number,
): Float64Array {
  const out = new Float64Array(series.length * steps.count).fill(NaN)
  series.forEach((one, s) => {
    const { timesMs } = one
    let from = 0
    let to = 0
    for (let i = 0; i < steps.count; i++) {
      const endMs = steps.startMs + i * steps.stepMs
      while (to < timesMs.length && timesMs[to] <= endMs) to++
      while (from < timesMs.length && timesMs[from] <= endMs - rangeMs) from++
      out[s * steps.count + i] = reduce(one, from, to, endMs - rangeMs, endMs)
    }
  })
  return out
}

export function rate(series: readonly PlainSeries[], steps: HandSteps, rangeMs: number): Float64Array {
  return overWindows(series, steps, rangeMs, ({ timesMs, values }, from, to, startMs, endMs) => {
    const count = to - from
    if (count < 2) return NaN
    let difference = values[to - 1] - values[from]
    for (let i = from + 1; i < to; i++) if (values[i] < values[i - 1]) difference += values[i - 1]
    const sampled = (timesMs[to - 1] - timesMs[from]) / 1000
    const average = sampled / (count - 1)
    let before = (timesMs[from] - startMs) / 1000
    let after = (endMs - timesMs[to - 1]) / 1000
    if (before >= average * 1.1) before = average / 2
    if (difference > 0 && values[from] >= 0) before = Math.min(before, (sampled * values[from]) / difference)
    if (after >= average * 1.1) after = average / 2
    return (difference * ((sampled + before + after) / sampled)) / (rangeMs / 1000)
  })
}

/** Adds the rows of a block by group. */
export function sumBy(block: Float64Array, groupOf: Int32Array, groups: number, stepCount: number): Float64Array {
  const out = new Float64Array(groups * stepCount).fill(NaN)
  for (let s = 0; s < groupOf.length; s++) {
    for (let i = 0; i < stepCount; i++) {
      const value = block[s * stepCount + i]
      if (value !== value) continue
      const at = groupOf[s] * stepCount + i
      out[at] = out[at] === out[at] ? out[at] + value : value
    }
  }
  return out
}

export function groupIndexes(
  series: readonly PlainSeries[],
  names: readonly string[],
): { of: Int32Array; count: number } {
  const known = new Map<string, number>()
  const of = Int32Array.from(series, ({ labels }) => {
    const key = names.map((name) => labels.get(name)).join('\u0000')
    const index = known.get(key) ?? known.size
    known.set(key, index)
    return index
  })
  return { of, count: known.size }
}

/** Computes a quantile from bucket sums. The rows of `sums` are ordered by group, then by bucket bound. */
export function quantile(phi: number, sums: Float64Array, groups: number, stepCount: number): Float64Array {
  const bounds = BOUNDS.map((bound) => (bound === '+Inf' ? Infinity : Number(bound)))
  const out = new Float64Array(groups * stepCount)
  for (let g = 0; g < groups; g++) {
    for (let i = 0; i < stepCount; i++) {
      const at = (k: number): number => sums[(g * bounds.length + k) * stepCount + i]
      const total = at(bounds.length - 1)
      const rank = phi * total
      let k = 0
      while (k < bounds.length - 1 && at(k) < rank) k++
      let result: number
      if (total === 0) result = NaN
      else if (k === bounds.length - 1) result = bounds[k - 1]
      else {
        const lower = k === 0 ? 0 : bounds[k - 1]
        const below = k === 0 ? 0 : at(k - 1)
        result = lower + ((bounds[k] - lower) * (rank - below)) / (at(k) - below)
      }
      out[g * stepCount + i] = result
    }
  }
  return out
}

/** Keeps the `k` largest values of each step; the others become NaN. */
export function topK(k: number, block: Float64Array, series: number, stepCount: number): Float64Array {
  const out = new Float64Array(block.length).fill(NaN)
  const best = new Float64Array(k)
  const holder = new Int32Array(k)
  for (let i = 0; i < stepCount; i++) {
    let size = 0
    for (let s = 0; s < series; s++) {
      const value = block[s * stepCount + i]
      if (value !== value || (size === k && value <= best[k - 1])) continue
      let at = size < k ? size++ : k - 1
      while (at > 0 && best[at - 1] < value) {
        best[at] = best[at - 1]
        holder[at] = holder[at - 1]
        at--
      }
      best[at] = value
      holder[at] = s
    }
    for (let j = 0; j < size; j++) out[holder[j] * stepCount + i] = best[j]
  }
  return out
}

/** Computes `max_over_time(rate(x[1m])[10m:1m])`. */
export function maxOfRate(series: readonly PlainSeries[], steps: HandSteps): Float64Array {
  const firstMs = (Math.floor((steps.startMs - 600_000) / 60_000) + 1) * 60_000
  const lastMs = steps.startMs + (steps.count - 1) * steps.stepMs
  const inner = { startMs: firstMs, stepMs: 60_000, count: Math.floor((lastMs - firstMs) / 60_000) + 1 }
  const rates = rate(series, inner, 60_000)
  const out = new Float64Array(series.length * steps.count).fill(NaN)
  for (let s = 0; s < series.length; s++) {
    for (let i = 0; i < steps.count; i++) {
      const endMs = steps.startMs + i * steps.stepMs
      const to = Math.floor((endMs - firstMs) / 60_000)
      const from = Math.max(0, Math.floor((endMs - 600_000 - firstMs) / 60_000) + 1)
      let best = NaN
      for (let j = from; j <= to; j++) {
        const value = rates[s * inner.count + j]
        if (value > best || best !== best) best = value
      }
      out[s * steps.count + i] = best
    }
  }
  return out
}

export function divide(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length)
  for (let i = 0; i < a.length; i++) out[i] = a[i] / b[i]
  return out
}

/** Divides each row of `many` by its row of `one`. */
export function divideMany(many: Float64Array, one: Float64Array, oneOf: Int32Array, stepCount: number): Float64Array {
  const out = new Float64Array(many.length)
  for (let s = 0; s < oneOf.length; s++) {
    for (let i = 0; i < stepCount; i++) {
      out[s * stepCount + i] = many[s * stepCount + i] / one[oneOf[s] * stepCount + i]
    }
  }
  return out
}

export function quantileOverTime(
  series: readonly PlainSeries[],
  steps: HandSteps,
  phi: number,
  rangeMs: number,
): Float64Array {
  return overWindows(series, steps, rangeMs, ({ values }, from, to) => {
    if (to === from) return NaN
    const sorted = values.slice(from, to).sort()
    const rank = phi * (sorted.length - 1)
    const lower = Math.floor(rank)
    const upper = Math.min(lower + 1, sorted.length - 1)
    return sorted[lower] * (1 - (rank - lower)) + sorted[upper] * (rank - lower)
  })
}

export function avgOverTime(series: readonly PlainSeries[], steps: HandSteps, rangeMs: number): Float64Array {
  return overWindows(series, steps, rangeMs, ({ values }, from, to) => {
    let sum = 0
    for (let i = from; i < to; i++) sum += values[i]
    return sum / (to - from)
  })
}

/** Computes `predict_linear(x[range], ahead)` with plain sums. */
export function predictLinear(
  series: readonly PlainSeries[],
  steps: HandSteps,
  rangeMs: number,
  aheadSeconds: number,
): Float64Array {
  return overWindows(series, steps, rangeMs, ({ timesMs, values }, from, to, _, endMs) => {
    const count = to - from
    if (count < 2) return NaN
    let [x, y, xy, xx] = [0, 0, 0, 0]
    for (let i = from; i < to; i++) {
      const seconds = (timesMs[i] - endMs) / 1000
      x += seconds
      y += values[i]
      xy += seconds * values[i]
      xx += seconds * seconds
    }
    const slope = (xy - (x * y) / count) / (xx - (x * x) / count)
    return (y - slope * x) / count + slope * aheadSeconds
  })
}
