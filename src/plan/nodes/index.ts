import { oncePer } from '../../base/index.ts'
import type { Schema } from '../../data/index.ts'
import { aggregateOps } from './aggregate.ts'
import { applyOps, tableApplyOps } from './apply.ts'
import { distinctOps } from './distinct.ts'
import { dropOps } from './drop.ts'
import { extendOps } from './extend.ts'
import { filterOps } from './filter.ts'
import { joinOps } from './join.ts'
import { limitByOps } from './limit-by.ts'
import { limitOps } from './limit.ts'
import type { LogicalPlan, NodeOf, PlanKind } from '../kinds.ts'
import type { NodeOps, NodeProperties, Order } from './node-ops.ts'
import { projectOps } from './project.ts'
import { renameOps } from './rename.ts'
import { sampleOps } from './sample.ts'
import { scanOps } from './scan.ts'
import { sortOps } from './sort.ts'
import { unionOps } from './union.ts'
import { valuesOps } from './values.ts'
import { windowOps } from './window.ts'

/** The operations of each kind of node. The compiler requires an entry for every kind. */
export const nodeOps: { readonly [K in PlanKind]: NodeOps<NodeOf<K>> } = {
  scan: scanOps,
  values: valuesOps,
  filter: filterOps,
  project: projectOps,
  drop: dropOps,
  rename: renameOps,
  extend: extendOps,
  aggregate: aggregateOps,
  sort: sortOps,
  limit: limitOps,
  'limit-by': limitByOps,
  distinct: distinctOps,
  join: joinOps,
  union: unionOps,
  sample: sampleOps,
  window: windowOps,
  apply: applyOps,
  'table-apply': tableApplyOps,
}

/** True if a value is an object whose `kind` is that of a plan node. */
export function isPlan(given: unknown): given is LogicalPlan {
  return typeof given === 'object' && given !== null && 'kind' in given && Object.hasOwn(nodeOps, String(given.kind))
}

export function opsOf(plan: LogicalPlan): NodeOps<LogicalPlan> {
  return nodeOps[plan.kind] as NodeOps<LogicalPlan>
}

/** Returns the columns of a plan's rows. */
export const schemaOf: (plan: LogicalPlan) => Schema = oncePer((plan) => {
  const ops = opsOf(plan)
  return ops.schema(plan, ops.inputs(plan).map(schemaOf))
})

export function orderOf(plan: LogicalPlan): Order {
  const ops = opsOf(plan)
  return ops.order(plan, ops.inputs(plan).map(orderOf))
}

/** Returns the maximum number of output rows that the plan itself guarantees; `Infinity` if it depends on the data. */
export const maxRows: (plan: LogicalPlan) => number = oncePer((plan) => {
  const ops = opsOf(plan)
  return ops.maxRows(plan, ops.inputs(plan).map(maxRows))
})

export function propertiesOf(plan: LogicalPlan): NodeProperties {
  return opsOf(plan).properties(plan)
}

/** A table with an entry for each kind of node; the compiler requires all of them. */
export type ByKind<R, A extends readonly unknown[] = []> = {
  readonly [K in PlanKind]: (node: NodeOf<K>, ...args: A) => R
}

export function byKind<R, A extends readonly unknown[]>(table: ByKind<R, A>, plan: LogicalPlan, ...args: A): R {
  return (table[plan.kind] as (node: LogicalPlan, ...args: A) => R)(plan, ...args)
}
