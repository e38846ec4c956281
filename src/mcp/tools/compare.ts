import { z } from 'zod'
import { plannedSearch } from '../estimate.ts'
import { piped } from '../rows.ts'
import { defineTool, nativeArgs, numberArg, queryArg, searchOf } from '../tool.ts'

export const compare = defineTool({
  name: 'compare',
  title: 'Compare rows with the other rows',
  description:
    'Lists the values that are more frequent in the rows of a filter than in the other rows of `query`: what errors, slow requests or the last ten minutes have in common. `share` and `share_others` are shares of both sides, `lift` is their ratio. The largest difference comes first.',
  args: z.strictObject({
    ...nativeArgs,
    filter: queryArg.describe('Filters of the rows to explain, such as `level:error` or `_time:10m`.'),
    count: numberArg(1, 10_000, 20, 'Values to list at most.'),
  }),
  plan: (call) => {
    const { query, filter, count } = call.args
    return plannedSearch(call.asking, searchOf(call, piped(query, `compare (${filter}\n) ${count}`)))
  },
})
