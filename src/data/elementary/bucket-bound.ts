import { neighbour, scaled } from './binary.ts'
import { exp2 } from './exp.ts'

/**
 * Number of buckets per power of two in schema 8, the finest. The bounds of coarser schemas are among the bounds of
 * this schema.
 */
const COUNT = 256

/**
 * Corrections, one digit per bound: 1 plus the number of doubles by which Prometheus's bound is below the power
 * computed here. Prometheus reads its bounds from a table that is not rounded consistently, and answers show all digits
 * of a bound.
 */
const BELOW =
  '1111112111211111112311222222222211211121122211221122112211221222111111222233212211211121112111111112101121331122' +
  '1121112111321222112222332233223221222233233322442122112122332132223322322233223232432232334333333333334444554354' +
  '22323333324422333243223333543344'

let known: Float64Array | undefined

function made(): Float64Array {
  return Float64Array.from({ length: COUNT }, (_, i) => {
    let bound = exp2(i / COUNT) / 2
    const below = Number(BELOW[i]) - 1
    for (let step = 0; step < Math.abs(below); step++) bound = neighbour(bound, below < 0)
    return bound
  })
}

/** Returns 2^(index / 2^schema) with the rounding of Prometheus, for schemas from 0 to 8. `index` is an integer. */
export function bucketBound(schema: number, index: number): number {
  known ??= made()
  const perPower = 2 ** schema
  const whole = Math.floor(index / perPower)
  return scaled(known[((index - whole * perPower) * COUNT) / perPower] ?? NaN, whole + 1)
}
