import { METRIC_NAME, type Labels } from '../../../../data/index.ts'
import { METADATA_LABELS, type SeriesColumn } from '../../../../functions/series/index.ts'
import type { SeriesMatching } from '../../../../plan/series/index.ts'

/** The series of both sides whose matching labels have the same values. */
export interface MatchGroup {
  readonly left: SeriesColumn[]
  readonly right: SeriesColumn[]
}

/** Returns a key of the labels by which series match: two series match if and only if their keys are equal. */
export function signatureOf(labels: Labels, matching: SeriesMatching): string {
  return matching.isOn ? labels.keyOf(matching.labels) : labels.keyWithout([...matching.labels, METRIC_NAME])
}

/** Returns the labels that all series of a match group share. */
export function groupLabels(labels: Labels, matching: SeriesMatching): Labels {
  return matching.isOn ? labels.keep(matching.labels) : labels.without([...matching.labels, METRIC_NAME])
}

/**
 * Groups the series of both sides by matching key, once for all steps. Groups are in order of first appearance: keys of
 * the left side, then new keys of the right side.
 */
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

/**
 * Returns the labels of a result series: those of the series on the many side, and the included labels of the series on
 * the one side. The metric name is removed if `losesName`.
 */
export function resultLabels(many: Labels, one: Labels, matching: SeriesMatching, losesName: boolean): Labels {
  let labels = losesName ? many.without(METADATA_LABELS) : many
  if (matching.cardinality === 'one-to-one') {
    labels = matching.isOn ? labels.keep(matching.labels) : labels.without(matching.labels)
  }
  for (const name of matching.include) labels = labels.with(name, one.get(name))
  return labels
}
