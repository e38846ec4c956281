import { present } from '../../../base/index.ts'
import { plainName, schemaOf, type FieldPattern, type Union } from '../../../plan/index.ts'
import { sqlNull, type OrderTerm, type Select, type SelectColumn, type SqlExpr } from '../statement/ast.ts'
import { sqlColumn } from '../statement/ast.ts'
import { bareBlock, CannotCompile, fieldCell, type QueryBlock } from '../block.ts'
import { mergedCell, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { finish } from '../finish.ts'
import { rowNumber, settled } from './ranked.ts'

/** Returns the patterns that hide undeclared fields of a block, except patterns that name a field of the union. */
function hiddenBesides(block: QueryBlock, names: ReadonlySet<string>): readonly FieldPattern[] {
  return (block.rest?.hidden ?? []).filter((pattern) => {
    const name = plainName(pattern)
    return name === undefined || !names.has(name)
  })
}

/** Compiles a union: all rows of the first input, then those of the next inputs, each in its own order. */
export function unionBlock(node: Union, context: CompileContext): QueryBlock {
  const blocks = node.inputsList.map((input) => settled(context.block(input), context))
  const names = schemaOf(node).fields.map((f) => f.name)
  const known = new Set(names)
  const isOpen = blocks.some((block) => block.rest !== undefined)
  if (blocks.some((block) => hiddenBesides(block, known).length > 0)) {
    throw new CannotCompile(node, 'one input hides undeclared fields that another one shows')
  }
  const alias = context.alias('q')
  const cells = names.map((name) =>
    present(blocks[0]).host.common(
      blocks.map((block) => fieldCell(block, name)),
      { block: present(blocks[0]), node },
    ),
  )
  if (new Set(blocks.filter((block) => block.rest !== undefined).map((block) => block.host)).size > 1) {
    throw new CannotCompile(node, 'undeclared fields of two tables meet')
  }
  const restCount = Math.max(...blocks.map((block) => block.rest?.parts.length ?? 0))
  if (blocks.some((block) => block.rest !== undefined && block.rest.parts.length !== restCount)) {
    throw new CannotCompile(node, 'the inputs keep undeclared fields in columns of different kinds')
  }
  const restHost = present(blocks.find((block) => block.rest !== undefined) ?? blocks[0]).host
  const hasRecords = blocks.every((block) => block.record !== undefined)
  const selects = blocks.map((block, i): Select => {
    const columns: SelectColumn[] = []
    const push = (expr: SqlExpr): void => {
      columns.push({ expr, name: `c${columns.length}` })
    }
    push({ kind: 'bound', value: BigInt(i) })
    push(rowNumber([], block.order))
    for (const branches of cells) push(present(branches[i]).sql)
    for (let index = 0; index < restCount; index++)
      push(block.rest?.parts[index] ?? restHost.emptyRest?.(index) ?? sqlNull)
    if (hasRecords && block.record !== undefined) push(block.record)
    return finish({ ...block, order: [] }, columns, context)
  })
  const columnAt = (position: number): SqlExpr => sqlColumn(alias, `c${position}`)
  const fields = new Map(
    names.map((name, f): [string, Cell] => [name, { ...mergedCell(present(cells[f])), sql: columnAt(2 + f) }]),
  )
  const next = 2 + names.length
  const order: readonly OrderTerm[] = [0, 1].map((at) => ({ expr: columnAt(at), direction: 'asc', mayBeNull: false }))
  const recordAt = next + restCount
  const rest = Array.from({ length: restCount }, (_, index) => columnAt(next + index))
  return {
    ...bareBlock,
    host: restHost,
    source: { kind: 'derived', from: { kind: 'select', query: { kind: 'union-all', selects }, alias } },
    fields,
    rest: isOpen ? { parts: rest, hidden: names.map((name) => ({ parts: [name] })) } : undefined,
    order,
    record: hasRecords ? columnAt(recordAt) : undefined,
  }
}
