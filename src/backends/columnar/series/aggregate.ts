import type { Labels } from '../../../data/index.ts'
import {
  METADATA_LABELS,
  seriesAggregations,
  type SeriesColumn,
  type SeriesContext,
  type SeriesGroup,
  type SeriesValue,
  type VectorValue,
} from '../../../functions/series/index.ts'
import { invariant } from '../../../base/index.ts'
import type { SeriesAggregate } from '../../../plan/series/index.ts'

/** Groups the input series by the grouping labels of the node. Groups are in order of first appearance. */
function groupSeries(node: SeriesAggregate, series: readonly SeriesColumn[]): readonly SeriesGroup[] {
  interface OpenGroup {
    readonly labels: Labels
    isNameDropped: boolean
    readonly members: SeriesColumn[]
  }
  const groups = new Map<string, OpenGroup>()
  const removed = [...node.grouping, ...METADATA_LABELS]
  const keepsName = !node.isWithout && METADATA_LABELS.some((label) => node.grouping.includes(label))
  for (const column of series) {
    const key = node.isWithout ? column.labels.keyWithout(removed) : column.labels.keyOf(node.grouping)
    let group = groups.get(key)
    if (group === undefined) {
      const labels = node.isWithout ? column.labels.without(removed) : column.labels.keep(node.grouping)
      group = { labels, isNameDropped: false, members: [] }
      groups.set(key, group)
    }
    if (column.isNameDropped && keepsName) group.isNameDropped = true
    group.members.push(column)
  }
  return [...groups.values()]
}

/** Computes an aggregation such as `sum by (…)`: combines the series of each group at every step. */
export function evaluateAggregate(
  node: SeriesAggregate,
  input: VectorValue,
  param: SeriesValue | undefined,
  context: SeriesContext,
): VectorValue {
  const aggregation = seriesAggregations.get(node.op)
  invariant(aggregation !== undefined, `aggregation ${node.op} exists`)
  return aggregation.evaluate(groupSeries(node, input.series), {
    ...context,
    origin: node.origin,
    inputOrigin: node.input.origin,
    paramOrigin: node.param?.origin ?? node.origin,
    param: param?.kind === 'scalar' ? param.values : param?.kind === 'string' ? param.value : undefined,
  })
}
