import { histogramBytes, type Histogram } from '../../../data/index.ts'
import { SERIES_BYTES, STEP_BYTES, type SeriesBudget, type SeriesValue } from '../../../functions/series/index.ts'

function listBytes(histograms: readonly (Histogram | undefined)[] | undefined): number {
  let bytes = 0
  for (const histogram of histograms ?? []) bytes += histogram === undefined ? 8 : histogramBytes(histogram)
  return bytes
}

/** Returns the estimated bytes of a value, excluding samples that belong to the store. */
export function valueBytes(value: SeriesValue): number {
  switch (value.kind) {
    case 'scalar':
      return value.values.byteLength
    case 'string':
      return value.value.length * 2
    case 'vector':
      return value.series.reduce(
        (total, { values, histograms }) => total + SERIES_BYTES + values.length * STEP_BYTES + listBytes(histograms),
        0,
      )
    case 'matrix':
      return value.series.length * (SERIES_BYTES + value.endsMs.length * Float64Array.BYTES_PER_ELEMENT)
  }
}

/** Throws if this many more bytes would exceed the budget. Must be called before they are allocated. */
export function checkRoom(budget: SeriesBudget, bytes: number): void {
  budget.charge(bytes)
  budget.charge(-bytes)
}
