import { schemaOf, visit, type LogicalPlan } from '../../plan/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { MemoryStore } from '../../store/index.ts'
import type { Acceptance, Backend } from '../backend.ts'
import { drive } from './driver.ts'
import { ExprCompiler } from './expr/compile.ts'
import { physicalRefusal } from './physical/accept.ts'
import { explainPlanned, planOperators, type Planned } from './planner.ts'

/** Every node is supported; a table or a function may be unknown here. */
function acceptance(plan: LogicalPlan, store: MemoryStore, functions: Functions): Acceptance {
  let refusal: Acceptance = { kind: 'whole' }
  const refuse = (node: LogicalPlan, reason: string): void => {
    if (refusal.kind === 'whole') refusal = { kind: 'not', node, reason }
  }
  visit(plan, (node) => {
    if (node.kind === 'scan' && !store.tables.has(node.table))
      refuse(node, `the memory store has no table ${node.table}`)
    if (node.kind === 'apply' && functions.rows.get(node.fn) === undefined) refuse(node, `no row function ${node.fn}`)
    if (node.kind === 'table-apply') {
      const fn = functions.tables.get(node.fn)
      const reason = fn === undefined ? `no table function ${node.fn}` : physicalRefusal(node, fn)
      if (reason !== undefined) refuse(node, reason)
    }
    const calls = node.kind === 'aggregate' ? node.aggregates : node.kind === 'window' ? node.calls : []
    for (const { call } of calls) {
      if (functions.stats.get(call.fn) === undefined) refuse(node, `no stats function ${call.fn}`)
    }
  })
  return refusal
}

/** Runs whole plans over a memory store's column segments. */
export function columnarBackend(store: MemoryStore, functions: Functions): Backend {
  return {
    name: 'columnar',
    accept: (plan) => acceptance(plan, store, functions),
    prepare(plan, query) {
      const schema = schemaOf(plan)
      let last: Planned | undefined
      return {
        schema,
        explain: () => explainPlanned(plan, last),
        run() {
          const context = { store, functions, query, compiler: new ExprCompiler(functions), measures: new Map() }
          last = planOperators(plan, context)
          return drive(last.operator, schema, query)
        },
      }
    },
  }
}
