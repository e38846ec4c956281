import { work, checkpoint } from '../../../../base/index.ts'
import {
  ABSENT,
  hasAny,
  relabel,
  vector,
  type SeriesColumn,
  type VectorValue,
} from '../../../../functions/series/index.ts'
import type { SeriesMatching } from '../../../../plan/series/index.ts'
import { matchGroups } from './matching.ts'

/** Returns an array with 1 for each step at which at least one of the series has an element. */
export function presence(series: readonly SeriesColumn[], stepCount: number): Uint8Array {
  const present = new Uint8Array(stepCount)
  for (const { kinds } of series) {
    work(stepCount >>> 4)
    for (let step = 0; step < stepCount; step++) if (kinds[step] !== ABSENT) present[step] = 1
  }
  return present
}

/** Returns the series with only the elements at steps for which `mask` equals `wanted`. Values are not copied. */
function masked(column: SeriesColumn, mask: Uint8Array, wanted: 0 | 1): SeriesColumn {
  work(mask.length >>> 4)
  const kinds = column.kinds.map((kind, step) => (mask[step] === wanted ? kind : ABSENT))
  return { ...relabel(column, column.labels, column.isNameDropped), kinds }
}

/** Computes the set operators `and`, `or` and `unless`, which depend only on labels and presence. */
export function setOperation(
  op: 'and' | 'or' | 'unless',
  left: VectorValue,
  right: VectorValue,
  matching: SeriesMatching,
  stepCount: number,
): VectorValue {
  const columns: SeriesColumn[] = op === 'or' ? [...left.series] : []
  for (const group of matchGroups(left.series, right.series, matching)) {
    checkpoint()
    if (op === 'or') {
      const mask = presence(group.left, stepCount)
      for (const column of group.right) columns.push(masked(column, mask, 0))
    } else {
      const mask = presence(group.right, stepCount)
      for (const column of group.left) columns.push(masked(column, mask, op === 'and' ? 1 : 0))
    }
  }
  return vector(columns.filter((column) => hasAny(column)))
}
