import { sharedFloat64 } from './shared.ts'

/** Rows of one zone. */
export const zoneRows = 1024
export const zoneShift = 10

/** Bounds of the numbers of each zone; `min > max` in a zone without numbers. NaN counts as no number. */
export interface ZoneMap {
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly min: number
  readonly max: number
}

export function zoneMap(values: Float64Array): ZoneMap {
  const zones = Math.ceil(values.length / zoneRows)
  const mins = sharedFloat64(zones)
  const maxs = sharedFloat64(zones)
  let min = Infinity
  let max = -Infinity
  for (let zone = 0; zone < zones; zone++) {
    let low = Infinity
    let high = -Infinity
    const end = Math.min(values.length, (zone + 1) * zoneRows)
    for (let i = zone * zoneRows; i < end; i++) {
      const value = values[i]
      if (value < low) low = value
      if (value > high) high = value
    }
    mins[zone] = low
    maxs[zone] = high
    if (low < min) min = low
    if (high > max) max = high
  }
  return { mins, maxs, min, max }
}
