import type { RecordCatalog, RecordTableDefinition } from '../../plan/index.ts'
import { clustersTable } from './clusters.ts'
import { eventsTable } from './events.ts'
import { logsTable } from './logs.ts'
import { samplesTable } from './samples.ts'
import { spansTable } from './spans.ts'
import { workloadsTable } from './workloads.ts'

export { clustersTable } from './clusters.ts'
export { eventsTable } from './events.ts'
export { logsTable } from './logs.ts'
export { samplesTable } from './samples.ts'
export { spansTable } from './spans.ts'
export { workloadsTable } from './workloads.ts'

/** The standard tables, one for each kind of data, logs first. */
export const standardTables: readonly RecordTableDefinition[] = [
  logsTable,
  eventsTable,
  spansTable,
  samplesTable,
  clustersTable,
  workloadsTable,
]

/** The tables of a server: logs, events, traces, samples, clusters and workloads. */
export const standardCatalog: RecordCatalog = {
  tables: new Map(standardTables.map((table) => [table.name, table])),
  defaultTable: 'logs',
}
