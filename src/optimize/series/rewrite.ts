import { mapSeriesInputs, type SeriesPlan } from '../../plan/series/index.ts'

/**
 * Calls a rewrite for each node after its inputs. The second argument of `info` is no input: its matchers say which
 * labels are wanted, and stay as they were written.
 */
export function rewriteSeries(node: SeriesPlan, rewrite: (node: SeriesPlan) => SeriesPlan): SeriesPlan {
  if (node.kind === 'series-call' && node.name === 'info') {
    const [base, ...rest] = node.args
    const input = rewriteSeries(base, rewrite)
    return rewrite(input === base ? node : { ...node, args: [input, ...rest] })
  }
  return rewrite(mapSeriesInputs(node, (input) => rewriteSeries(input, rewrite)))
}
