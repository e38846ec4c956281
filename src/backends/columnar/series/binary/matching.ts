import { METRIC_NAME, type Labels } from '../../../../data/index.ts'
import { METADATA_LABELS, type SeriesColumn } from '../../../../functions/series/index.ts'
import type { SeriesMatching } from '../../../../plan/series/index.ts'

/** The series of both sides that agree in the labels that count. */
export interface MatchGroup {
  readonly left: SeriesColumn[]
  readonly right: SeriesColumn[]
}

/** What two series must have in common to be matched. */
export function signatureOf(labels: Labels, matching: SeriesMatching): string {
  return matching.isOn ? labels.keyOf(matching.labels) : labels.keyWithout([...matching.labels, METRIC_NAME])
}

/** The labels that a group has in common. */
export function groupLabels(labels: Labels, matching: SeriesMatching): Labels {
  return matching.isOn ? labels.keep(matching.labels) : labels.without([...matching.labels, METRIC_NAME])
}

/** Groups by signature, once for all steps. Groups come in the order in which the left, then the right, names them. */
export function matchGroups(
  left: readonly SeriesColumn[],
  right: readonly SeriesColumn[],
  matching: SeriesMatching,
): readonly MatchGroup[] {
  const groups = new Map<string, MatchGroup>()
  const groupFor = (column: SeriesColumn): MatchGroup => {
    const signature = signatureOf(column.labels, matching)
    let group = groups.get(signature)
    if (group === undefined) {
      group = { left: [], right: [] }
      groups.set(signature, group)
    }
    return group
  }
  for (const column of left) groupFor(column).left.push(column)
  for (const column of right) groupFor(column).right.push(column)
  return [...groups.values()]
}

/** Labels of a result: those of the many side, less what an operation that is no longer the metric loses. */
export function resultLabels(many: Labels, one: Labels, matching: SeriesMatching, losesName: boolean): Labels {
  let labels = losesName ? many.without(METADATA_LABELS) : many
  if (matching.cardinality === 'one-to-one') {
    labels = matching.isOn ? labels.keep(matching.labels) : labels.without(matching.labels)
  }
  for (const name of matching.include) labels = labels.with(name, one.get(name))
  return labels
}
