import { z } from 'zod'
import { listed } from '../rows.ts'
import { defineTool, queryArg, searchArgs } from '../tool.ts'
import type { Row } from '../window.ts'

export const check = defineTool({
  name: 'check',
  title: 'Check a query',
  description:
    'Says what is wrong with a query and what would make it slow, without running it: a row a finding, with its code, message, place (`span`, UTF-16 units) and `fixes` as edits of the text. No rows: the query is fine.',
  args: z.strictObject({ query: queryArg, table: searchArgs.table, dialect: searchArgs.dialect }),
  plan: async ({ args, asking }) => {
    const { query, table: domain, dialect } = args
    const path = `/api/check?dialect=${dialect}`
    const { diagnostics } = await asking.json<{ readonly diagnostics: readonly Row[] }>({
      path,
      body: { query, domain },
    })
    return { estimate: undefined, rows: listed(diagnostics) }
  },
})
