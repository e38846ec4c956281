import { Budget, always, nowhere } from '../../base/index.ts'
import { rowsBackend, type QueryContext } from '../../backends/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { wholeScan, type Expr, type LogicalPlan, type TableDefinition } from '../../plan/index.ts'

const limits = { memoryBytes: 2 ** 28, timeoutMs: 60_000, scanRows: Number.MAX_SAFE_INTEGER }

/** Returns a standard table. Throws Error when there is none with this name. */
export function definitionOf(table: string): TableDefinition {
  const found = standardCatalog.tables.get(table)
  if (found === undefined) throw new Error(`there is no table ${table}`)
  return found
}

/**
 * Returns for each row whether it matches a bound predicate. The row model evaluates the predicate on each row by
 * itself.
 */
export async function passing(
  predicate: Expr | undefined,
  { name: table, schema: tableSchema }: Pick<TableDefinition, 'name' | 'schema'>,
  rows: readonly StoredRow[],
): Promise<readonly boolean[]> {
  if (predicate === undefined) return rows.map(() => true)
  const scan = wholeScan({ name: table, schema: tableSchema })
  const plan: LogicalPlan = { kind: 'filter', input: scan, predicate, origin: nowhere }
  const context: QueryContext = { budget: new Budget(limits, () => 0), nowNs: 0n, range: always, batchRows: 10 }
  const passes: boolean[] = []
  for (const row of rows) {
    let count = 0
    const prepared = rowsBackend(new Map([[table, [row]]]), standardFunctions).prepare(plan, context)
    for await (const batch of prepared.run()) count += batch.rowCount
    passes.push(count === 1)
  }
  return passes
}
