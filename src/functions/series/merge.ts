import { work, type Origin } from '../../base/index.ts'
import { isBefore } from '../../data/index.ts'
import { ABSENT, copyStep, newColumn, type ColumnWriter, type SeriesColumn } from './columns.ts'
import { failSeries } from './diagnostics.ts'

/**
 * True if the label sets are in ascending order, as after reading. Then all are different, and comparing needs no keys.
 */
export function isAscending(series: readonly SeriesColumn[]): boolean {
  for (let i = 1; i < series.length; i++) if (!isBefore(series[i - 1].labels, series[i].labels)) return false
  return true
}

/**
 * Merges series with equal labels. Throws `series/same-labels` if two of them have a sample at the same step. Returns
 * the same list if all labels differ.
 */
export function mergeEqualLabels(
  series: readonly SeriesColumn[],
  origin: Origin,
  keepsMarks: boolean,
): readonly SeriesColumn[] {
  if (series.length < 2 || isAscending(series)) return series
  const byKey = new Map<string, SeriesColumn[]>()
  for (const column of series) {
    work(10 + (column.labels.chars >>> 2))
    const key = keepsMarks && column.isNameDropped ? `\u0001${column.labels.key}` : column.labels.key
    const same = byKey.get(key)
    if (same === undefined) byKey.set(key, [column])
    else same.push(column)
  }
  if (byKey.size === series.length) return series
  return [...byKey.values()].map((same) => (same.length === 1 ? same[0] : mergeAll(same, origin)))
}

function mergeAll(same: readonly SeriesColumn[], origin: Origin): SeriesColumn {
  const stepCount = same[0].kinds.length
  const isNameDropped = same.some((column) => column.isNameDropped)
  const merged: ColumnWriter = newColumn(same[0].labels, isNameDropped, stepCount)
  for (const column of same) {
    for (let step = 0; step < stepCount; step++) {
      if (column.kinds[step] === ABSENT) continue
      work(1)
      if (merged.kinds[step] !== ABSENT) failSeries('same-labels', undefined, origin)
      copyStep(column, merged, step)
    }
  }
  return merged
}
