import { z } from 'zod'
import { plannedSearch } from '../estimate.ts'
import { piped } from '../rows.ts'
import { defineTool, nativeArgs, searchOf } from '../tool.ts'

export const values = defineTool({
  name: 'values',
  title: 'List values of a field',
  description:
    'Lists the values of one field in the rows that a query finds, with the number of rows that have each (`hits`), most frequent first.',
  args: z.strictObject({
    ...nativeArgs,
    field: z.string().min(1).max(1000).describe('Name of the field, such as `workload`.'),
    contains: z.string().max(256).optional().describe('Only values that contain this.'),
  }),
  plan: (call) => {
    const { query, field, contains } = call.args
    const filter = contains === undefined ? '' : ` filter ${JSON.stringify(contains)}`
    const name = JSON.stringify(field)
    const text = piped(piped(query, `field_values ${name}${filter}`), `sort by (hits desc, ${name})`)
    return plannedSearch(call.asking, searchOf(call, text))
  },
})
