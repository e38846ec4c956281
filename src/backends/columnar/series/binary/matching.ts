import { METRIC_NAME, type Labels } from '../../../../data/index.ts'
import { METADATA_LABELS, type SeriesColumn } from '../../../../functions/series/index.ts'
import type { SeriesMatching } from '../../../../plan/series/index.ts'

/** The series of both sides with equal matching labels. */
export interface MatchGroup {
  readonly left: SeriesColumn[]
  readonly right: SeriesColumn[]
}

/** Returns a key of the labels that two series must share to match. */
export function signatureOf(labels: Labels, matching: SeriesMatching): string {
  return matching.isOn ? labels.keyOf(matching.labels) : labels.keyWithout([...matching.labels, METRIC_NAME])
}

/** Returns the labels that a group shares. */
export function groupLabels(labels: Labels, matching: SeriesMatching): Labels {
  return matching.isOn ? labels.keep(matching.labels) : labels.without([...matching.labels, METRIC_NAME])
}

/**
 * Groups series by key, once for all steps. Groups are in the order in which the left side, then the right side has
 * them.
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
 * Returns the labels of a result: those of the many side, without the metric name when the operation changes the
 * meaning.
 */
export function resultLabels(many: Labels, one: Labels, matching: SeriesMatching, losesName: boolean): Labels {
  let labels = losesName ? many.without(METADATA_LABELS) : many
  if (matching.cardinality === 'one-to-one') {
    labels = matching.isOn ? labels.keep(matching.labels) : labels.without(matching.labels)
  }
  for (const name of matching.include) labels = labels.with(name, one.get(name))
  return labels
}
