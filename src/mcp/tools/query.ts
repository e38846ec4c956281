import { z } from 'zod'
import { plannedSearch } from '../estimate.ts'
import { defineTool, searchArgs, searchOf } from '../tool.ts'

export const query = defineTool({
  name: 'query',
  title: 'Query rows',
  description:
    'Runs a query and returns its rows: log lines, groups of `stats`, or whatever its pipes make. Rows without a sort are newest first. Prefer groups and few fields: `level:error | stats by (workload) count() as n | sort by (n desc)`, `timeout | fields _time, workload, content`. The resource `sluice://language` has the language.',
  args: z.strictObject(searchArgs),
  plan: (call) => plannedSearch(call.asking, searchOf(call, call.args.query)),
})
