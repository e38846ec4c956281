import { z } from 'zod'
import { plannedSearch } from '../estimate.ts'
import { piped } from '../rows.ts'
import { defineTool, nativeArgs, searchOf } from '../tool.ts'

export const fields = defineTool({
  name: 'fields',
  title: 'List fields',
  description:
    'Lists the fields of the rows that a query finds, with the number of rows that have each (`hits`), most frequent first. Begin with it in unknown data.',
  args: z.strictObject({
    ...nativeArgs,
    contains: z.string().max(256).optional().describe('Only fields whose name contains this.'),
  }),
  plan: (call) => {
    const { query, contains } = call.args
    const filter = contains === undefined ? '' : ` filter ${JSON.stringify(contains)}`
    const text = piped(piped(query, `field_names${filter}`), 'sort by (hits desc, name)')
    return plannedSearch(call.asking, searchOf(call, text))
  },
})
