import { z } from 'zod'
import { plannedSearch } from '../estimate.ts'
import { piped } from '../rows.ts'
import { defineTool, numberArg, queryArg, rangeArgs, searchOf, tableArg } from '../tool.ts'

export const context = defineTool({
  name: 'context',
  title: 'Show rows around rows',
  description:
    'Returns the rows before and after each row that filters find, in its stream (such as one pod), oldest first; `---` separates groups. Use filters that find few rows.',
  args: z.strictObject({
    query: queryArg.describe('Filters without pipes, such as `panic workload:payments`.'),
    table: tableArg,
    ...rangeArgs,
    before: numberArg(0, 1000, 5, 'Rows before each.'),
    after: numberArg(0, 1000, 5, 'Rows after each.'),
  }),
  plan: (call) => {
    const { query, before, after } = call.args
    const text = piped(query, `stream_context before ${before} after ${after}`)
    return plannedSearch(call.asking, searchOf(call, text))
  },
})
