import { fieldNamed, type Schema } from '../../../data/index.ts'
import { column, columnsOf, rightColumnName, schemaOf, type Expr, type Join } from '../../../plan/index.ts'
import { missing, substitute } from '../../conjuncts.ts'
import type { Through } from './through.ts'

export const throughUnion: Through<'union'> = (part, node) => {
  if (columnsOf(part) === undefined) return undefined
  return node.inputsList.map((input) => {
    const schema = schemaOf(input)
    return substitute(part, (name, origin) =>
      schema.isOpen || fieldNamed(schema, name) !== undefined ? column(name, origin) : missing(origin),
    )
  })
}

/** Whether a name of the answer always has the left row's value. */
function isFromLeft(node: Join, left: Schema, right: Schema, name: string): boolean {
  if (node.on.some((pair) => pair.left === name)) return true
  if (right.isOpen) return false
  const keys = new Set(node.on.map((pair) => pair.right))
  // Only a declared name of the left side makes the right one step aside; rows of an open side may lack it.
  const isDeclared = (each: string): boolean => fieldNamed(left, each) !== undefined
  // A name of both sides takes the right value where the left one is empty, unless a prefix keeps them apart.
  return right.fields.every((f) => keys.has(f.name) || rightColumnName(node, f.name, isDeclared(f.name)) !== name)
}

/** The right column behind a name of the answer that the left rows cannot have. */
function rightSource(node: Join, left: Schema, right: Schema, name: string): string | undefined {
  if (left.isOpen || right.isOpen || fieldNamed(left, name) !== undefined) return undefined
  const keys = new Set(node.on.map((pair) => pair.right))
  const sources = right.fields.filter(
    (f) => !keys.has(f.name) && rightColumnName(node, f.name, fieldNamed(left, f.name) !== undefined) === name,
  )
  return sources.length === 1 ? sources[0].name : undefined
}

/** Sides whose rows show only when the join condition lets them through, and never padded with missing values. */
export const throughJoin: Through<'join'> = (part, node) => {
  const names = columnsOf(part)
  if (names === undefined || names.size === 0) return undefined
  const left = schemaOf(node.left)
  const right = schemaOf(node.right)
  const canFilterLeft = node.type === 'inner' || node.type === 'left' || node.type === 'cross'
  if (canFilterLeft && [...names].every((name) => isFromLeft(node, left, right, name))) {
    const below = substitute(part, (name, origin) =>
      left.isOpen || fieldNamed(left, name) !== undefined ? column(name, origin) : missing(origin),
    )
    return below === undefined ? undefined : [below, undefined]
  }
  if (node.type !== 'inner' && node.type !== 'cross') return undefined
  const below: Expr | undefined = substitute(part, (name, origin) => {
    const source = rightSource(node, left, right, name)
    return source === undefined ? undefined : column(source, origin)
  })
  return below === undefined ? undefined : [undefined, below]
}
