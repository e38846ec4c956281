import { throwIfErrors, type Diagnostic } from '../../base/index.ts'
import { rowsBackend } from '../../backends/index.ts'
import type { StoredRow, Value } from '../../data/index.ts'
import { createEngine, type Engine, readRows } from '../../engine/index.ts'
import { lowerConditions } from '../../lang/json/index.ts'
import { conjunction, type Expr, type TableDefinition } from '../../plan/index.ts'
import type { MonitorFilter, MonitorRow, ReadsText } from '../../resources/index.ts'
import { readFilter } from '../search/read-text.ts'
import { functionNamesOf } from '../../engine/pipelines/index.ts'
import { predicateOf } from '../search/search-service.ts'
import type { ResourceServices } from './resource-services.ts'

/** Monitors as a table, so that lists can be filtered. Every other member of a definition is a field too. */
const monitorsTable: TableDefinition = {
  name: 'monitors',
  schema: {
    isOpen: true,
    fields: ['uuid', 'monitor_name', 'type', 'severity', 'team', 'category'].map((name) => ({
      name,
      type: 'any',
      presence: 'dynamic',
    })),
  },
  timeField: '_time',
  textField: 'monitor_name',
  aliases: new Map([
    ['name', 'monitor_name'],
    ['title', 'monitor_name'],
  ]),
  streamFields: [],
  domain: 'workloads',
}

function storedRow(row: MonitorRow, sequence: number): StoredRow {
  const scalars = Object.entries(row).filter(([, value]) => value === null || typeof value !== 'object')
  return { timeNs: 0n, sequence, row: new Map<string, Value>(scalars as [string, Value][]) }
}

/** Returns a function that selects monitors by a filter text and by conditions on their rows in `monitorsTable`. */
export function monitorPick(engine: Engine): NonNullable<ResourceServices['pickMonitors']> {
  return (rows, filter, { readsText }) => pick(engine, rows, filter, readsText)
}

async function pick(
  { functions, clock }: Engine,
  rows: readonly MonitorRow[],
  filter: MonitorFilter,
  readsText: ReadsText,
): Promise<readonly string[]> {
  const table = monitorsTable.name
  const stored = rows.map(storedRow)
  const engine = createEngine({
    backends: [rowsBackend(new Map([[table, stored]]), functions)],
    catalog: { tables: new Map([[table, monitorsTable]]), defaultTable: table },
    functions,
    clock,
    lint: 'off',
  })
  const { textField } = monitorsTable
  const options = { dialect: 'native', nowNs: clock.nowNs(), table, textField } as const
  const must: Expr[] = []
  const all = readFilter('*', 'query', options)
  if (filter.query !== undefined) {
    readsText('query', filter.query)
    must.push(predicateOf(readFilter(filter.query, 'query', options)))
  }
  const diagnostics: Diagnostic[] = []
  const lowering = { functions: functionNamesOf(engine.functions), source: () => all, diagnostics }
  must.push(lowerConditions(filter.conditions ?? [], ['conditions'], lowering))
  throwIfErrors(diagnostics)
  const predicate = conjunction(must)
  const answer = engine.queryPlan({ kind: 'filter', input: all, predicate, origin: predicate.origin }, { table })
  const found: string[] = []
  for await (const row of readRows(answer.batches())) {
    const id = row.get('uuid')
    if (typeof id === 'string') found.push(id)
  }
  return found
}
