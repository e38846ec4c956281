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

export const throughUnion: Through<'union'> = (conjunct, node) => {
  if (columnsOf(conjunct) === undefined) return undefined
  return node.inputsList.map((input) => {
    const schema = schemaOf(input)
    return substitute(conjunct, (name, origin) =>
      schema.isOpen || declaredField(schema, name) !== undefined ? column(name, origin) : missing(origin),
    )
  })
}

const rightNames = new WeakMap<Join, ReadonlyMap<string, readonly string[]>>()

/** Returns, for each output name, the declared right columns that may appear under it. Keys are excluded. */
function rightSources(node: Join, left: Schema, right: Schema): ReadonlyMap<string, readonly string[]> {
  const known = rightNames.get(node)
  if (known !== undefined) return known
  const keys = new Set(node.on.map((pair) => pair.right))
  const sources = new Map<string, readonly string[]>()
  for (const { name } of right.fields) {
    if (keys.has(name)) continue
    // A right column is renamed if the left side declares its name. If the left side is open, this differs from row to
    // row.
    const stepsAside = declaredField(left, name) !== undefined ? [true] : left.isOpen ? [false, true] : [false]
    for (const shown of new Set(stepsAside.map((isOnLeft) => rightColumnName(node, name, isOnLeft)))) {
      sources.set(shown, [...(sources.get(shown) ?? []), name])
    }
  }
  rightNames.set(node, sources)
  return sources
}

/** True if an output name always has the left row's value. */
function isFromLeft(node: Join, left: Schema, right: Schema, name: string): boolean {
  if (node.on.some((pair) => pair.left === name)) return true
  // A name that both sides have gets the right value in rows whose left value is empty, unless a prefix separates the
  // names.
  return !right.isOpen && !rightSources(node, left, right).has(name)
}

/** Returns the right column that is output under a name that left rows cannot have. */
export function rightSource(node: Join, left: Schema, right: Schema, name: string): string | undefined {
  if (left.isOpen || right.isOpen || declaredField(left, name) !== undefined) return undefined
  const sources = rightSources(node, left, right).get(name) ?? []
  return sources.length === 1 ? sources[0] : undefined
}

/** Pushes conditions into the sides of a join that are never padded with missing values. */
export const throughJoin: Through<'join'> = (conjunct, node) => {
  const names = columnsOf(conjunct)
  if (names === undefined || names.size === 0) return undefined
  const left = schemaOf(node.left)
  const right = schemaOf(node.right)
  const canFilterLeft = node.type === 'inner' || node.type === 'left' || node.type === 'cross'
  if (canFilterLeft && [...names].every((name) => isFromLeft(node, left, right, name))) {
    const below = substitute(conjunct, (name, origin) =>
      left.isOpen || declaredField(left, name) !== undefined ? column(name, origin) : missing(origin),
    )
    return below === undefined ? undefined : [below, undefined]
  }
  if (node.type !== 'inner' && node.type !== 'cross') return undefined
  const below: Expr | undefined = substitute(conjunct, (name, origin) => {
    const source = rightSource(node, left, right, name)
    return source === undefined ? undefined : column(source, origin)
  })
  return below === undefined ? undefined : [undefined, below]
}
