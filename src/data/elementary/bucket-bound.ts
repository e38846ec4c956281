import { neighbour, scaled } from './binary.ts'
import { exp2 } from './exp.ts'

/** Bounds of the finest schema from one power of two to the next; those of coarser schemas are among them. */
const COUNT = 256

/**
 * By how many doubles each of these bounds lies below the power that is worked out here, with 1 for none. The reference
 * has them from a table whose rounding follows no rule, and shows every digit.
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

/** 2^(index / 2^schema) for a schema from 0 to 8, as the reference has it; `index` is a whole number. */
export function bucketBound(schema: number, index: number): number {
  known ??= made()
  const perPower = 2 ** schema
  const whole = Math.floor(index / perPower)
  return scaled(known[((index - whole * perPower) * COUNT) / perPower] ?? NaN, whole + 1)
}
