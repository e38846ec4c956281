import type { Schema } from '../../../data/index.ts'
import {
  column,
  columnsOf,
  declaredField,
  rightColumnName,
  schemaOf,
  type Expr,
  type Join,
} from '../../../plan/index.ts'
import { missing, substitute } from '../../conjuncts.ts'
import type { Through } from './through.ts'

export const throughUnion: Through<'union'> = (part, node) => {
  if (columnsOf(part) === undefined) return undefined
  return node.inputsList.map((input) => {
    const schema = schemaOf(input)
    return substitute(part, (name, origin) =>
      schema.isOpen || declaredField(schema, name) !== undefined ? column(name, origin) : missing(origin),
    )
  })
}

const rightNames = new WeakMap<Join, ReadonlyMap<string, readonly string[]>>()

/** The declared right columns behind each name of the answer, keys left out. */
function rightSources(node: Join, left: Schema, right: Schema): ReadonlyMap<string, readonly string[]> {
  const known = rightNames.get(node)
  if (known !== undefined) return known
  const keys = new Set(node.on.map((pair) => pair.right))
  const sources = new Map<string, string[]>()
  for (const { name } of right.fields) {
    if (keys.has(name)) continue
    // Only a declared name of the left side makes the right one step aside; rows of an open side may lack it.
    const shown = rightColumnName(node, name, declaredField(left, name) !== undefined)
    const same = sources.get(shown)
    if (same === undefined) sources.set(shown, [name])
    else same.push(name)
  }
  rightNames.set(node, sources)
  return sources
}

/** Whether a name of the answer always has the left row's value. */
function isFromLeft(node: Join, left: Schema, right: Schema, name: string): boolean {
  if (node.on.some((pair) => pair.left === name)) return true
  // A name of both sides takes the right value where the left one is empty, unless a prefix keeps them apart.
  return !right.isOpen && !rightSources(node, left, right).has(name) && !mayStepAside(node, left, right, name)
}

/** Whether a right column comes out under this name, with its prefix, beside rows of an open left side that have its own. */
function mayStepAside(node: Join, left: Schema, right: Schema, name: string): boolean {
  if (!left.isOpen || node.prefix === undefined || node.prefixMode !== 'collision') return false
  return right.fields.some((field) => rightColumnName(node, field.name, true) === name)
}

/** The right column behind a name of the answer that the left rows cannot have. */
function rightSource(node: Join, left: Schema, right: Schema, name: string): string | undefined {
  if (left.isOpen || right.isOpen || declaredField(left, name) !== undefined) return undefined
  const sources = rightSources(node, left, right).get(name) ?? []
  return sources.length === 1 ? sources[0] : undefined
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
      left.isOpen || declaredField(left, name) !== undefined ? column(name, origin) : missing(origin),
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
