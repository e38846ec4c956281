import type { SeriesPlan, SeriesSelect } from '../../../plan/series/index.ts'
import { rewriteSeries } from '../rewrite.ts'
import type { SeriesRule } from '../rule.ts'

const COUNTS_SERIES = new Set(['count', 'group'])
const LOOKS_AT_TIMES = new Set(['absent', 'timestamp'])
const COUNTS_SAMPLES = new Set(['absent_over_time', 'count_over_time', 'present_over_time'])

function presence(select: SeriesSelect): SeriesSelect {
  // The ends of extended windows are worked out from values.
  return select.isPresenceOnly === true || select.extension !== 'none' ? select : { ...select, isPresenceOnly: true }
}

function project(node: SeriesPlan): SeriesPlan {
  if (node.kind === 'series-aggregate') {
    if (!COUNTS_SERIES.has(node.op) || node.input.kind !== 'series-select') return node
    const input = presence(node.input)
    return input === node.input ? node : { ...node, input }
  }
  if (node.kind !== 'series-call') return node
  const [arg] = node.args
  if (LOOKS_AT_TIMES.has(node.name) && arg.kind === 'series-select') {
    const select = presence(arg)
    return select === arg ? node : { ...node, args: [select] }
  }
  if (COUNTS_SAMPLES.has(node.name) && arg.kind === 'series-range') {
    const select = presence(arg.select)
    return select === arg.select ? node : { ...node, args: [{ ...arg, select }] }
  }
  return node
}

/** Where only times and numbers of samples count, values and histograms are not read. */
export const projectPresence: SeriesRule = {
  name: 'project-presence',
  summary: 'Leave values and histograms unread where only samples count',
  apply: (plan) => rewriteSeries(plan, project),
}
