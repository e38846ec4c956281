import { present, type Origin } from '../../base/index.ts'
import type { LogicalPlan } from '../kinds.ts'
import { otherRows, type NodeOps } from './node-ops.ts'

export type JoinType = 'inner' | 'left' | 'right' | 'full' | 'cross'

/**
 * Left order first, then right order; unmatched right rows of `right` and `full` come last in right order. Keys
 * compare by their text; empty matches nothing. Key columns are merged into one named as on the left. A right
 * column whose name exists on the left comes out as `<prefix>.<name>` when there is a prefix; without one the left
 * value wins unless it is empty.
 */
export interface Join {
  readonly kind: 'join'
  readonly left: LogicalPlan
  readonly right: LogicalPlan
  readonly type: JoinType
  readonly on: readonly { readonly left: string; readonly right: string }[]
  readonly prefix: string | undefined
  /** `collision`: only clashing names get the prefix; `all`: every right column does. */
  readonly prefixMode: 'collision' | 'all'
  readonly origin: Origin
}

/** The answer name of a right-hand column that is not a key. */
export function rightColumnName(node: Join, name: string, isOnLeft: boolean): string {
  if (node.prefix === undefined) return name
  if (node.prefixMode === 'all') return node.prefix + name
  return isOnLeft ? `${node.prefix}.${name}` : name
}

export const joinOps: NodeOps<Join> = {
  inputs: (node) => [node.left, node.right],
  withInputs: (node, [left, right]) => ({ ...node, left: present(left), right: present(right) }),
  expressions: () => [],
  withExpressions: (node) => node,
  schema: (node, inputs) => {
    const left = present(inputs[0])
    const right = present(inputs[1])
    const fields = [...left.fields]
    const known = new Set(fields.map((f) => f.name))
    const keys = new Set(node.on.map((pair) => pair.right))
    for (const f of right.fields) {
      if (keys.has(f.name)) continue
      const name = rightColumnName(node, f.name, known.has(f.name))
      if (known.has(name)) continue
      known.add(name)
      fields.push({ ...f, name })
    }
    return { fields, isOpen: left.isOpen || right.isOpen }
  },
  order: (_, [left]) => present(left),
  properties: () => otherRows,
  maxRows: ({ type }, [left = Infinity, right = Infinity]) => {
    const pairs = left === 0 || right === 0 ? 0 : left * right
    const leftAlone = type === 'left' || type === 'full' ? left : 0
    const rightAlone = type === 'right' || type === 'full' ? right : 0
    return pairs + leftAlone + rightAlone
  },
  label: (node) =>
    `${node.type} on (${node.on.map((p) => (p.left === p.right ? p.left : `${p.left} = ${p.right}`)).join(', ')})${node.prefix === undefined ? '' : ` prefix ${node.prefix}`}`,
}

declare module '../kinds.ts' {
  interface PlanKinds {
    join: Join
  }
}
