import { SAFE_INTEGERS } from '../../base/index.ts'
import { sharedFloat64 } from './shared.ts'

/** The number of rows of one zone. */
export const zoneRows = 1024

/** The smallest and largest number of each zone; `min > max` if a zone has no numbers. NaN is ignored. */
export interface ZoneMap {
  /** True if some row has the value NaN. */
  readonly hasNan: boolean
  /** True if all values are integers within ±2^53. */
  readonly isInteger: boolean
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly min: number
  readonly max: number
}

/** Returns the bounds of each zone. Rows without a value have NaN in `values`; `missingCount` is their number. */
export function zoneMap(values: Float64Array, missingCount: number): ZoneMap {
  const zones = Math.ceil(values.length / zoneRows)
  const mins = sharedFloat64(zones)
  const maxs = sharedFloat64(zones)
  let min = Infinity
  let max = -Infinity
  let nans = 0
  let isInteger = true
  for (let zone = 0; zone < zones; zone++) {
    let low = Infinity
    let high = -Infinity
    const end = Math.min(values.length, (zone + 1) * zoneRows)
    for (let i = zone * zoneRows; i < end; i++) {
      const value = values[i]
      if (value < low) low = value
      if (value > high) high = value
      if (value !== value) nans++
      else if (isInteger && !(Number.isInteger(value) && Math.abs(value) <= SAFE_INTEGERS)) isInteger = false
    }
    mins[zone] = low
    maxs[zone] = high
    if (low < min) min = low
    if (high > max) max = high
  }
  return { hasNan: nans > missingCount, isInteger, mins, maxs, min, max }
}
