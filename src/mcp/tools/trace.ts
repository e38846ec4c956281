import { z } from 'zod'
import { estimateOf } from '../estimate.ts'
import { searchRows, tables, listed } from '../rows.ts'
import { defineTool, rangeArgs } from '../tool.ts'
import type { Row } from '../window.ts'

function timeOf(row: Row): string {
  return typeof row['_time'] === 'string' ? row['_time'] : ''
}

export const trace = defineTool({
  name: 'trace',
  title: 'Show a trace',
  description:
    'Returns the spans and the log lines of one trace, in the order of time. Rows with `span_id` and `duration_seconds` are spans. Trace ids are in the field `trace_id` of logs and spans.',
  args: z.strictObject({
    trace_id: z.string().min(1).max(256).describe('Id of the trace, as a row has it.'),
    ...rangeArgs,
  }),
  plan: async ({ args, asking, start, end }) => {
    const found: Row[] = []
    let read = 0
    const of = tables.filter((table) => table !== 'events')
    for (const table of of) {
      const search = { table, dialect: 'native', start, end } as const
      read += (await estimateOf(asking, { ...search, query: '*' })).rows
      const query = `trace_id:=${JSON.stringify(args.trace_id)} | sort by (_time)`
      for await (const row of searchRows(asking, { ...search, query })) found.push(row)
    }
    found.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b))))
    return { estimate: { rows: read, of: `rows of ${of.join(' and ')} in the time range` }, rows: listed(found) }
  },
})
