import { present } from '../../base/index.ts'
import { seriesFunctions } from '../../functions/series/index.ts'
import { mapSeriesInputs, type SeriesPlan } from '../../plan/series/index.ts'

/**
 * Calls a rewrite for each node after its inputs. An argument that only selects labels, such as the second argument of
 * `info`, is not rewritten.
 */
export function rewriteSeries(node: SeriesPlan, rewrite: (node: SeriesPlan) => SeriesPlan): SeriesPlan {
  if (node.kind === 'series-call' && seriesFunctions.get(node.name)?.takesMatchers === true) {
    const [base, ...rest] = node.args
    const input = rewriteSeries(present(base), rewrite)
    return rewrite(input === base ? node : { ...node, args: [input, ...rest] })
  }
  return rewrite(mapSeriesInputs(node, (input) => rewriteSeries(input, rewrite)))
}
