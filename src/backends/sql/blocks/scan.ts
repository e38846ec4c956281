import type { Scan } from '../../../plan/index.ts'
import { own } from '../../../store/sqlite/index.ts'
import { invariant } from '../../../base/index.ts'
import { sqlColumn, type OrderTerm, type SqlExpr } from '../ast.ts'
import type { Base } from '../base.ts'
import { bareBlock, CannotCompile, fieldCell, type Block } from '../block.ts'
import { cell, missingCell, present, storedForm, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { predicate } from '../expr.ts'
import { addFilter } from './filter.ts'

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

/** Reads one table; its guard stands first among the conditions, before anything a query says. */
export function scanBlock(node: Scan, context: CompileContext): Block {
  const layout = context.layouts.get(node.table)
  const known = context.knowledge.tables.get(node.table)
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
  const whole: Block = {
    ...bareBlock,
    source: { kind: 'base', base },
    fields: all,
    rest: { sql: sqlColumn(base.alias, own.rest), hidden: [] },
    order,
    record: context.needsRecord ? sqlColumn(base.alias, own.hash) : undefined,
  }
  const guarded = node.guard === undefined ? whole : { ...whole, where: [guardCondition(node, whole)] }
  const filtered = node.predicate === undefined ? guarded : addFilter(guarded, node.predicate, node)
  if (node.columns === undefined) return filtered
  const fields = new Map(node.columns.map((name) => [name, fieldCell(whole, name)]))
  return { ...filtered, fields, rest: undefined }
}

function guardCondition(node: Scan, whole: Block): SqlExpr {
  invariant(node.guard !== undefined, 'only a guarded scan has a guard condition')
  return { kind: 'guard', guard: node.guard, condition: predicate(node.guard, { block: whole, node }, true) }
}
