import { z } from 'zod'
import { plannedSearch } from '../estimate.ts'
import { piped } from '../rows.ts'
import { defineTool, nativeArgs, numberArg, searchOf } from '../tool.ts'

export const patterns = defineTool({
  name: 'patterns',
  title: 'List patterns of messages',
  description:
    'Lists the templates that the messages of a query are made of, most frequent first, each with its number of rows (`hits`) and one message as a `sample`: what do thousands of lines say.',
  args: z.strictObject({
    ...nativeArgs,
    count: numberArg(1, 10_000, 20, 'Patterns to list at most.'),
    field: z.string().min(1).max(1000).optional().describe('Field to read. Default: the message.'),
  }),
  plan: (call) => {
    const { query, count, field } = call.args
    const at = field === undefined ? '' : ` at ${JSON.stringify(field)}`
    return plannedSearch(call.asking, searchOf(call, piped(query, `patterns ${count}${at}`)))
  },
})
