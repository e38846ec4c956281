import { present } from '../../../base/index.ts'
import { plainName, schemaOf, type FieldPattern, type Union } from '../../../plan/index.ts'
import { sqlNull, type OrderTerm, type Select, type SelectColumn, type SqlExpr } from '../ast.ts'
import { sqlColumn } from '../ast.ts'
import { bareBlock, CannotCompile, fieldCell, type Block } from '../block.ts'
import { asAny, type Cell, type Facts } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { finish } from '../finish.ts'
import type { Form } from '../programs.ts'
import { rowNumber, settled } from './ranked.ts'

function commonForm(cells: readonly Cell[]): Form {
  const [first] = cells
  return first !== undefined && cells.every((c) => c.form === first.form) ? first.form : 'any'
}

function commonFacts(cells: readonly Cell[]): Facts {
  const values = cells.flatMap((c) => c.facts.values ?? [])
  const ranked = cells.flatMap((c) => (c.facts.ranked === 'many' ? [] : c.facts.ranked))
  return {
    hasMissing: cells.some((c) => c.facts.hasMissing),
    hasEmpty: cells.some((c) => c.facts.hasEmpty),
    hasUnfolded: cells.some((c) => c.facts.hasUnfolded),
    hasOddFold: cells.some((c) => c.facts.hasOddFold),
    ranked: cells.some((c) => c.facts.ranked === 'many') ? 'many' : [...new Set(ranked)],
    values: cells.every((c) => c.facts.values !== undefined) ? [...new Set(values)] : undefined,
  }
}

/** Names that are hidden from the undeclared fields although no field of the union has them. */
function hiddenBesides(block: Block, names: ReadonlySet<string>): readonly FieldPattern[] {
  return (block.rest?.hidden ?? []).filter((pattern) => {
    const name = plainName(pattern)
    return name === undefined || !names.has(name)
  })
}

/** First all rows of the first input, then those of the second: each numbered in its own order. */
export function unionBlock(node: Union, context: CompileContext): Block {
  const blocks = node.inputsList.map((input) => settled(context.block(input), context))
  const names = schemaOf(node).fields.map((f) => f.name)
  const known = new Set(names)
  const isOpen = blocks.some((block) => block.rest !== undefined)
  if (blocks.some((block) => hiddenBesides(block, known).length > 0)) {
    throw new CannotCompile(node, 'one input hides undeclared fields that another one shows')
  }
  const alias = context.alias('q')
  const cells = names.map((name) => blocks.map((block) => fieldCell(block, name)))
  const forms = cells.map(commonForm)
  const hasRecords = blocks.every((block) => block.record !== undefined)
  const selects = blocks.map((block, i): Select => {
    const columns: SelectColumn[] = []
    const push = (expr: SqlExpr): void => {
      columns.push({ expr, name: `c${columns.length}` })
    }
    push({ kind: 'bound', value: BigInt(i) })
    push(rowNumber([], block.order))
    for (const [f, branches] of cells.entries()) {
      const branch = present(branches[i])
      push(forms[f] === 'any' ? asAny(branch) : branch.sql)
    }
    if (isOpen) push(block.rest?.sql ?? sqlNull)
    if (hasRecords && block.record !== undefined) push(block.record)
    return finish({ ...block, order: [] }, columns, context)
  })
  const place = (position: number): SqlExpr => sqlColumn(alias, `c${position}`)
  const fields = new Map(
    names.map((name, f): [string, Cell] => [
      name,
      { sql: place(2 + f), form: present(forms[f]), facts: commonFacts(present(cells[f])), stored: undefined },
    ]),
  )
  const next = 2 + names.length
  const order: readonly OrderTerm[] = [0, 1].map((at) => ({ expr: place(at), direction: 'asc', mayBeNull: false }))
  const recordAt = next + (isOpen ? 1 : 0)
  return {
    ...bareBlock,
    source: { kind: 'derived', from: { kind: 'select', query: { kind: 'union-all', selects }, alias } },
    fields,
    rest: isOpen ? { sql: place(next), hidden: names.map((name) => ({ parts: [name] })) } : undefined,
    order,
    record: hasRecords ? place(recordAt) : undefined,
  }
}
