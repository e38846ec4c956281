import { z } from 'zod'
import { estimateOf } from '../estimate.ts'
import { listed } from '../rows.ts'
import { defineTool, searchArgs, searchOf } from '../tool.ts'
import type { Row } from '../window.ts'

interface PlanNode extends Row {
  readonly inputs: readonly PlanNode[]
}

/** Returns one row for each plan node, the last stage first; `depth` is the depth of the node in the tree. */
function stepsOf({ inputs, ...node }: PlanNode, depth = 0): readonly Row[] {
  return [{ depth, ...node }, ...inputs.flatMap((input) => stepsOf(input, depth + 1))]
}

export const explain = defineTool({
  name: 'explain',
  title: 'Explain a query',
  description:
    'Shows the plan of a query, one row a step, then what makes it slow. With `analyze` it runs, and each step has its rows and time, the last row the cost.',
  args: z.strictObject({ ...searchArgs, analyze: z.boolean().default(false).describe('Runs the query.') }),
  plan: async (call) => {
    const { args, asking, start, end } = call
    const { query, table: domain, dialect, analyze } = args
    const estimate = await estimateOf(asking, searchOf(call, '*'))
    const { tree, warnings, cost } = await asking.json<{
      readonly tree: PlanNode
      readonly warnings: readonly Row[]
      readonly cost?: Row
    }>({ path: `/api/explain?dialect=${dialect}`, body: { query, domain, start, end, analyze } })
    return { estimate, rows: listed([...stepsOf(tree), ...warnings, ...(cost === undefined ? [] : [cost])]) }
  },
})
