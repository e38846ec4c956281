import { invariant } from '../../base/index.ts'
import type { DiscoveredLabel } from '../../functions/logql/index.ts'
import { lowerLogs, type LogQuery, type LogqlTable } from '../../lang/logql/index.ts'
import { column, type LogicalPlan, type TableDefinition } from '../../plan/index.ts'

/** Order of the entries of an answer: newest first (`backward`) or oldest first (`forward`). */
export type LogDirection = 'backward' | 'forward'

/**
 * Returns the plan of a log query: at most `limit` entries, ordered by time. Entries with equal times are ordered by
 * arrival, latest first, in both directions.
 */
export function entriesPlan(query: LogQuery, table: LogqlTable, direction: LogDirection, limit: number): LogicalPlan {
  const input = lowerLogs(query, table)
  const { origin } = input
  return {
    kind: 'sort',
    input,
    keys: [{ expr: column(table.timeField, origin), direction: direction === 'backward' ? 'desc' : 'asc' }],
    offset: 0,
    limit,
    partitionBy: [],
    rankName: undefined,
    origin,
  }
}

/**
 * Labels that every log entry has. Their values are those that were sent or discovered, else those of catalog fields.
 */
export const discoveredLabels: readonly DiscoveredLabel[] = [
  { label: 'service_name', fields: ['service_name', 'workload'], otherwise: 'unknown_service', category: 'stream' },
  { label: 'detected_level', fields: ['detected_level', 'level'], otherwise: 'unknown', category: 'metadata' },
]

/** Returns the properties of a declared table that LogQL uses. The table must have a time field and a text field. */
export function logqlTableOf(table: TableDefinition, discovered: readonly DiscoveredLabel[]): LogqlTable {
  const { name, schema, aliases, streamFields, timeField, textField } = table
  invariant(timeField !== undefined && textField !== undefined, 'a table of logs has a time and a text')
  return { name, schema, aliases, streamFields, timeField, textField, discovered }
}
