import type { Scan } from '../../../plan/index.ts'
import { own, type Knowledge, type TableLayout } from '../../../store/sqlite/index.ts'
import { invariant } from '../../../base/index.ts'
import { sqlColumn, type OrderTerm } from '../statement/ast.ts'
import type { Base } from '../base.ts'
import { bareBlock, CannotCompile, type QueryBlock } from '../block.ts'
import { cell, missingCell, present, storedForm, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { scanned } from './scanned.ts'

/** The tables of a telemetry database, and the facts known about their values. */
export interface StoredTables {
  readonly layouts: ReadonlyMap<string, TableLayout>
  readonly knowledge: Knowledge
}

function storedCell(base: Base, name: string): Cell | undefined {
  const column = base.layout.byField.get(name)
  if (column === undefined) return undefined
  const known = base.known.fields.get(name)
  invariant(known !== undefined, `nothing is known of ${name}`)
  return {
    sql: sqlColumn(base.alias, column.column),
    form: storedForm(column, known),
    facts: known,
    stored: { base, column },
  }
}

/**
 * Compiles the scan of one telemetry table. The guard, which hides rows outside the data scope, is the first condition.
 */
export function scanBlock(node: Scan, context: CompileContext, { layouts, knowledge }: StoredTables): QueryBlock {
  const layout = layouts.get(node.table)
  const known = knowledge.tables.get(node.table)
  if (layout === undefined || known === undefined) {
    throw new CannotCompile(node, `the table \`${node.table}\` is not stored here`)
  }
  const base: Base = { scan: node, layout, known, alias: context.alias('t'), wordsAlias: context.alias('w') }
  const timeNs = sqlColumn(base.alias, own.timeNs)
  const { timeField } = layout.definition
  const all = new Map<string, Cell>([[timeField, cell(timeNs, 'time', present)]])
  for (const name of layout.byField.keys()) all.set(name, storedCell(base, name) ?? missingCell)
  const order: readonly OrderTerm[] = [timeNs, sqlColumn(base.alias, own.id)].map((expr) => ({
    expr,
    direction: 'desc',
    mayBeNull: false,
  }))
  const whole: QueryBlock = {
    ...bareBlock,
    host: context.host,
    source: { kind: 'base', base },
    fields: all,
    rest: { parts: [sqlColumn(base.alias, own.rest)], hidden: [] },
    order,
    record: context.needsRecord ? sqlColumn(base.alias, own.hash) : undefined,
  }
  return scanned(node, whole)
}
