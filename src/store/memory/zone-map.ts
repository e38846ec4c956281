import type { Codes } from '../../data/index.ts'
import { sharedFloat64 } from './shared.ts'

const SAFE = 2 ** 53
/** Rows of one zone. */
export const zoneRows = 1024
export const zoneShift = 10

/** Bounds of the numbers of each zone; `min > max` in a zone without numbers. NaN counts as no number. */
export interface ZoneMap {
  /** Whether some row has NaN as its value. */
  readonly hasNan: boolean
  /** Whether all values are integers within ±2^53. */
  readonly isInteger: boolean
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly min: number
  readonly max: number
}

/** Rows without a value have NaN in their slot; there are `missingCount` of them. */
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
      else if (isInteger && !(Number.isInteger(value) && Math.abs(value) <= SAFE)) isInteger = false
    }
    mins[zone] = low
    maxs[zone] = high
    if (low < min) min = low
    if (high > max) max = high
  }
  return { hasNan: nans > missingCount, isInteger, mins, maxs, min, max }
}

/** Bounds of the numbers of each zone, apart for each code of another field; `[zone × codes + code]`. */
export interface CodeZones {
  readonly codes: number
  readonly mins: Float64Array
  readonly maxs: Float64Array
}

export function codeZones(values: Float64Array, codes: Codes, codeCount: number): CodeZones {
  const zones = Math.ceil(values.length / zoneRows)
  const mins = sharedFloat64(zones * codeCount).fill(Infinity)
  const maxs = sharedFloat64(zones * codeCount).fill(-Infinity)
  for (let i = 0; i < values.length; i++) {
    const slot = (i >>> zoneShift) * codeCount + codes[i]
    const value = values[i]
    if (value < mins[slot]) mins[slot] = value
    if (value > maxs[slot]) maxs[slot] = value
  }
  return { codes: codeCount, mins, maxs }
}
