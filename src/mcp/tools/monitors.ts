import { z } from 'zod'
import type { Asking } from '../ask.ts'
import { listed, type Rows } from '../rows.ts'
import { defineTool } from '../tool.ts'
import type { Row } from '../window.ts'

/** Number of monitors in one page of the list. */
const PAGE_ROWS = 1000

interface Listed extends Row {
  readonly uuid: string
}

async function* monitorsFrom(asking: Asking, offset: number): AsyncGenerator<Listed> {
  let skip = offset
  for (;;) {
    const { monitors, done } = await asking.json<{ readonly monitors: readonly Listed[]; readonly done: boolean }>({
      path: '/api/monitors/list',
      body: { skip, limit: PAGE_ROWS },
    })
    yield* monitors
    if (done || monitors.length === 0) return
    skip += monitors.length
  }
}

/** Returns monitors by name; the state of a monitor is requested when its row is read. */
function monitorRows(asking: Asking): Rows {
  return {
    async *from(offset, limit) {
      let left = limit
      for await (const monitor of monitorsFrom(asking, offset)) {
        if (left-- === 0) return
        yield { ...monitor, ...(await asking.json<Row>({ path: `/api/monitors/${monitor.uuid}/state` })) }
      }
    },
    count: async () => {
      let count = 0
      for await (const _ of monitorsFrom(asking, 0)) count++
      return count
    },
  }
}

export const monitors = defineTool({
  name: 'monitors',
  title: 'List alerts and monitors',
  description:
    'Lists the alerts that fire now, or all monitors by name with their state, instances and latest changes. Begin with it when an alert is the question.',
  args: z.strictObject({
    show: z.enum(['alerts', 'monitors']).default('alerts').describe('`alerts`: those that fire; `monitors`: all.'),
  }),
  plan: async ({ args, asking }) => {
    if (args.show === 'monitors') return { estimate: undefined, rows: monitorRows(asking) }
    const alerts = await asking.json<readonly Row[]>({ path: '/alertmanager/api/v2/alerts' })
    return { estimate: undefined, rows: listed(alerts) }
  },
})
