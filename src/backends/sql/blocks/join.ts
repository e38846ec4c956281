import { fieldNamed, isEmptyValue } from '../../../data/index.ts'
import { rightColumnName, schemaOf, type Join } from '../../../plan/index.ts'
import {
  compare,
  isNull,
  sqlAnd,
  sqlCall,
  sqlTrue,
  type OrderTerm,
  type Source,
  type SqlExpr,
} from '../statement/ast.ts'
import { present as given } from '../../../base/index.ts'
import { bareBlock, CannotCompile, fieldCell, hide, withField, type QueryBlock, type ExprContext } from '../block.ts'
import { cell, mergedCell, present, type Cell } from '../cell.ts'
import type { CompileContext } from '../context.ts'
import { nest } from '../nest.ts'
import { isNotEmptyCell } from '../conditions/tests-on-values.ts'

/** Names of helper columns; no field can have such a name. A key column is called `KEY` plus its number. */
const KEY = '\0key'
const IS_THERE = '\0is-there'

/**
 * Compiles one side of a join condition to a key. Keys are compared as strings; empty keys are NULL. If both sides are
 * strings, they are not converted.
 */
function keyCell(own: Cell, other: Cell, exprContext: ExprContext): Cell {
  if (own.form === 'text' && other.form === 'text') {
    return own.facts.hasEmpty ? cell(sqlCall('null-if-empty', own.sql), 'text', own.facts) : own
  }
  return exprContext.block.host.joinKey(own, other, exprContext)
}

function mayBeEmpty({ facts }: Cell): boolean {
  return facts.hasMissing || facts.hasEmpty
}

function side(block: QueryBlock, keys: readonly Cell[], context: CompileContext): QueryBlock {
  const fields = new Map([...block.fields].map(([name, c]) => [name, block.host.nullable(c)]))
  let extended = withField({ ...block, fields }, IS_THERE, cell(sqlTrue, 'bool', present))
  for (const [i, key] of keys.entries()) extended = withField(extended, KEY + i, key)
  return nest(extended, context)
}

function sourceOf(block: QueryBlock): Source {
  if (block.source.kind === 'base') throw new TypeError('a side of a join is a select of its own')
  return block.source.from
}

/** Compiles a column that both sides of a join have: the left value, or the right value if the left one is empty. */
function either(left: Cell, right: Cell, exprContext: ExprContext): Cell {
  const { values } = left.facts
  if (values?.every((value) => value === null) === true) return right
  const [own, other] = bothAs(exprContext, left, right)
  const rightFirst = sqlCall('first-present', other.sql, own.sql)
  const sql: SqlExpr =
    values?.every(isEmptyValue) === true
      ? rightFirst
      : { kind: 'case', branches: [{ when: isNotEmptyCell(left), value: own.sql }], otherwise: rightFirst }
  return { ...mergedCell([own, other]), sql, stored: undefined }
}

/** Converts two cells to a common SQL representation. */
function bothAs(exprContext: ExprContext, left: Cell, right: Cell): readonly [Cell, Cell] {
  const [own, other] = exprContext.block.host.common([left, right], exprContext)
  return [given(own), given(other)]
}

/** Adapts a value of a join side that may have no row, and therefore NULL. */
function outer(c: Cell): Cell {
  return { ...c, facts: { ...c.facts, hasMissing: true } }
}

function checkShapes(node: Join, left: QueryBlock, right: QueryBlock): void {
  const { type, prefix, prefixMode, on } = node
  if (left.rest !== undefined && right.rest !== undefined) {
    throw new CannotCompile(node, 'undeclared fields of both sides are merged row by row')
  }
  if ((left.rest !== undefined || right.rest !== undefined) && prefix !== undefined && prefixMode === 'collision') {
    throw new CannotCompile(node, 'which undeclared fields collide is known row by row')
  }
  if (right.rest !== undefined && prefix !== undefined) {
    throw new CannotCompile(node, 'undeclared fields get their prefix row by row')
  }
  const isWithoutLeft = type === 'right' || type === 'full'
  if (isWithoutLeft && on.some((pair) => fieldNamed(schemaOf(node.left), pair.left) === undefined)) {
    throw new CannotCompile(node, 'a key that the left side does not declare has no column of its own')
  }
}

export function joinBlock(node: Join, context: CompileContext): QueryBlock {
  const sides = { left: context.block(node.left), right: context.block(node.right) }
  const exprContext = { block: sides.left, node }
  checkShapes(node, sides.left, sides.right)
  const keys = node.on.map((pair) => [fieldCell(sides.left, pair.left), fieldCell(sides.right, pair.right)] as const)
  const left = side(
    sides.left,
    keys.map(([own, other]) => keyCell(own, other, exprContext)),
    context,
  )
  const right = side(
    sides.right,
    keys.map(([other, own]) => keyCell(own, other, { block: sides.right, node })),
    context,
  )
  const mayLackLeft = node.type === 'right' || node.type === 'full'
  const mayLackRight = node.type === 'left' || node.type === 'full'
  const ofLeft = (name: string): Cell => (mayLackLeft ? outer(fieldCell(left, name)) : fieldCell(left, name))
  const ofRight = (name: string): Cell => (mayLackRight ? outer(fieldCell(right, name)) : fieldCell(right, name))

  const fields = new Map<string, Cell>()
  for (const name of left.fields.keys()) if (!name.startsWith('\0')) fields.set(name, ofLeft(name))
  for (const pair of node.on) {
    if (mayLackLeft) fields.set(pair.left, whenThere(left, ofLeft(pair.left), ofRight(pair.right), exprContext))
  }
  const rightKeys = new Set(node.on.map((pair) => pair.right))
  const leftSchema = schemaOf(node.left)
  const taken = new Set<string>()
  for (const name of right.fields.keys()) {
    if (name.startsWith('\0') || rightKeys.has(name)) continue
    const target = rightColumnName(node, name, fieldNamed(leftSchema, name) !== undefined)
    if (taken.has(target)) throw new CannotCompile(node, `two fields of the right side become \`${target}\``)
    taken.add(target)
    fields.set(target, either(fields.get(target) ?? ofLeft(target), ofRight(name), exprContext))
  }
  if (right.rest !== undefined) {
    for (const [name, c] of fields) {
      if (!taken.has(name) && !rightKeys.has(name)) fields.set(name, either(c, ofRight(name), exprContext))
    }
  }

  const on = sqlAnd(
    keys.map((pair, i) => {
      // `IS` treats missing keys (NULL) as equal, as joins require. If one side has no missing keys, `=` gives the same
      // result.
      const op = pair.every(mayBeEmpty) ? 'IS' : '='
      if (op === 'IS' && node.type === 'full' && context.dialect.foreign?.hasOnlyPlainFullJoins === true) {
        throw new CannotCompile(node, 'its full joins compare keys that are there')
      }
      return compare(fieldCell(left, KEY + i).sql, op, fieldCell(right, KEY + i).sql)
    }),
  )
  const isAlone: OrderTerm = { expr: isNull(fieldCell(left, IS_THERE).sql), direction: 'asc', mayBeNull: false }
  const names = [...fields.keys()].map((name) => ({ parts: [name] }))
  const hiddenKeys = [...rightKeys].map((name) => ({ parts: [name] }))
  return {
    ...bareBlock,
    host: (left.rest === undefined ? right : left).host,
    source: {
      kind: 'derived',
      from: {
        kind: 'join',
        left: sourceOf(left),
        right: sourceOf(right),
        type: node.type,
        on: node.type === 'cross' ? undefined : on,
      },
    },
    fields,
    rest: hide(left.rest, names) ?? hide(right.rest, [...names, ...hiddenKeys]),
    order: [...(mayLackLeft ? [isAlone] : []), ...left.order, ...right.order],
    record: mayLackLeft ? undefined : left.record,
  }
}

/**
 * Compiles a key column of a join in which a right row may have no left row: the left value if there is a left row,
 * else the right value.
 */
function whenThere(left: QueryBlock, own: Cell, other: Cell, exprContext: ExprContext): Cell {
  const [first, second] = bothAs(exprContext, own, other)
  const sql: SqlExpr = {
    kind: 'case',
    branches: [{ when: isNull(fieldCell(left, IS_THERE).sql), value: second.sql }],
    otherwise: first.sql,
  }
  return { ...mergedCell([first, second]), sql, stored: undefined }
}
