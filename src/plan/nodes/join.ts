import { present, type Origin } from '../../base/index.ts'
import type { Field } from '../../data/index.ts'
import type { LogicalPlan } from '../kinds.ts'
import { otherRows, type NodeOps } from './node-ops.ts'

export type JoinType = 'inner' | 'left' | 'right' | 'full' | 'cross'

/**
 * Joins two inputs. Output is in left order, then right order; unmatched right rows of `right` and `full` come last.
 * Keys compare as strings; missing values and `''` are equal. Key columns have the left name. A right column whose name
 * the left side also has becomes `<prefix>.<name>` if there is a prefix; otherwise the left value is used unless it is
 * empty.
 */
export interface Join {
  readonly kind: 'join'
  readonly left: LogicalPlan
  readonly right: LogicalPlan
  readonly type: JoinType
  readonly on: readonly { readonly left: string; readonly right: string }[]
  readonly prefix: string | undefined
  /** `collision`: only right columns whose names clash get the prefix. `all`: every right column gets it. */
  readonly prefixMode: 'collision' | 'all'
  readonly origin: Origin
}

/** Returns the output name of a right column that is not a key. */
export function rightColumnName(node: Join, name: string, isOnLeft: boolean): string {
  if (node.prefix === undefined) return name
  if (node.prefixMode === 'all') return node.prefix + name
  return isOnLeft ? `${node.prefix}.${name}` : name
}

/** Returns the prefix of right columns that clash with left columns. */
export function rightLead({ prefix, prefixMode }: Pick<Join, 'prefix' | 'prefixMode'>): string | undefined {
  return prefix === undefined ? undefined : prefixMode === 'all' ? prefix : `${prefix}.`
}

/** True if a right column may be output under this left name. */
function mayBeOfRight(node: Join, name: string): boolean {
  return name.startsWith(rightLead(node) ?? '')
}

export const joinOps: NodeOps<Join> = {
  inputs: (node) => [node.left, node.right],
  withInputs: (node, [left, right]) => ({ ...node, left: present(left), right: present(right) }),
  expressions: () => [],
  withExpressions: (node) => node,
  schema: (node, inputs) => {
    const left = present(inputs[0])
    const right = present(inputs[1])
    const leftKeys = new Set(node.on.map((pair) => pair.left))
    const mayMeetRight = (name: string): boolean => right.isOpen && !leftKeys.has(name) && mayBeOfRight(node, name)
    const fields = new Map(
      left.fields.map((f): [string, Field] => [f.name, mayMeetRight(f.name) ? { ...f, type: 'any' } : f]),
    )
    const rightKeys = new Set(node.on.map((pair) => pair.right))
    for (const f of right.fields) {
      if (rightKeys.has(f.name)) continue
      const name = rightColumnName(node, f.name, fields.has(f.name))
      const known = fields.get(name)
      // A left row may have the field although the left schema does not declare it.
      const type = left.isOpen || (known !== undefined && known.type !== f.type) ? 'any' : f.type
      const presence = known?.presence === 'named' ? 'named' : f.presence
      fields.set(name, { name, type, presence })
    }
    return { fields: [...fields.values()], isOpen: left.isOpen || right.isOpen }
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
