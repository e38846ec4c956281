import { kahanStep, kahanTotal, type KahanSum } from '../../data/index.ts'
import type { WindowSeries } from './definition.ts'
import type { WindowReducer } from './range-function.ts'

export function movingTotal({ values }: WindowSeries): WindowReducer {
  return (from, to) => kahanTotal(values, from, to)
}

/** The mean of `values[from…to)`; once the sum would overflow, the incremental mean. */
export function meanOf(values: ArrayLike<number>, from: number, to: number): number {
  let sum = values[from]
  let compensation = 0
  for (let i = from + 1; i < to; i++) {
    const value = values[i]
    const total = sum + value
    if (total === Infinity || total === -Infinity) return incrementalMean(values, from, i, to, sum, compensation)
    if (Math.abs(sum) >= Math.abs(value)) compensation += sum - total + value
    else compensation += value - total + sum
    sum = total
  }
  return sum / (to - from) + compensation / (to - from)
}

/** Goes on from `at`, where the sum of those before is known. */
function incrementalMean(
  values: ArrayLike<number>,
  from: number,
  at: number,
  to: number,
  sum: number,
  compensation: number,
): number {
  let count = at - from
  const mean: KahanSum = { sum: sum / count, compensation: compensation / count }
  for (let i = at; i < to; i++) {
    count++
    const weight = (count - 1) / count
    mean.sum *= weight
    mean.compensation *= weight
    kahanStep(mean, values[i] / count)
  }
  return mean.sum + mean.compensation
}

export function movingMean({ values }: WindowSeries): WindowReducer {
  return (from, to) => meanOf(values, from, to)
}

/** The greatest (`direction` 1) or least (−1) value; NaN only when there is nothing else. */
export function movingExtreme({ values }: WindowSeries, direction: 1 | -1): WindowReducer {
  return (from, to) => {
    let best = values[from]
    for (let i = from + 1; i < to; i++) {
      const value = values[i]
      if (direction === 1 ? value > best : value < best) best = value
      else if (best !== best) best = value
    }
    return best
  }
}
