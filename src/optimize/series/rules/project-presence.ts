import { seriesAggregations, seriesFunctions } from '../../../functions/series/index.ts'
import type { SeriesPlan, SeriesSelect } from '../../../plan/series/index.ts'
import { rewriteSeries } from '../rewrite.ts'
import type { SeriesRule } from '../rule.ts'

function presence(select: SeriesSelect): SeriesSelect {
  // Values at the ends of extended windows are interpolated, so the values are needed.
  return select.isPresenceOnly === true || select.extension !== 'none' ? select : { ...select, isPresenceOnly: true }
}

function project(node: SeriesPlan): SeriesPlan {
  if (node.kind === 'series-aggregate') {
    const isPresence = seriesAggregations.get(node.op)?.readsPresenceOnly === true
    if (!isPresence || node.input.kind !== 'series-select') return node
    const input = presence(node.input)
    return input === node.input ? node : { ...node, input }
  }
  if (node.kind !== 'series-call' || seriesFunctions.get(node.name)?.readsPresenceOnly !== true) return node
  const [arg] = node.args
  if (arg?.kind === 'series-select') {
    const select = presence(arg)
    return select === arg ? node : { ...node, args: [select] }
  }
  if (arg?.kind === 'series-range') {
    const select = presence(arg.select)
    return select === arg.select ? node : { ...node, args: [{ ...arg, select }] }
  }
  return node
}

/** Marks selectors of which only the number and times of samples matter, so that values and histograms are not read. */
export const projectPresence: SeriesRule = {
  name: 'project-presence',
  summary: 'Leave values and histograms unread where only samples count',
  apply: (plan) => rewriteSeries(plan, project),
}
