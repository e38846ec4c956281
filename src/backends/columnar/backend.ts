import { schemaOf, visit, type LogicalPlan, type Scan, type Table } from '../../plan/index.ts'
import { scanPlanNotes, scanPlans, type ScanPlan } from '../../optimize/index.ts'
import type { Functions } from '../../functions/index.ts'
import { hasSegments, type Segment } from '../../store/index.ts'
import type { Acceptance, Backend, QueryContext } from '../backend.ts'
import type { ExecContext } from './context.ts'
import { drive } from './driver.ts'
import { ExprCompiler } from './expr/compile.ts'
import { physicalRefusal } from './physical/accept.ts'
import { explainPlanned, planOperators, type Planned } from './planner.ts'
import { Waits } from './waits.ts'

/** Every node is supported; a table or a function may be unknown here. */
function acceptance(plan: LogicalPlan, tables: ReadonlyMap<string, Table>, functions: Functions): Acceptance {
  let refusal: Acceptance = { kind: 'whole' }
  const refuse = (node: LogicalPlan, reason: string): void => {
    if (refusal.kind === 'whole') refusal = { kind: 'not', node, reason }
  }
  visit(plan, (node) => {
    if (node.kind === 'scan' && !tables.has(node.table)) refuse(node, `there is no table ${node.table} here`)
    if (node.kind === 'apply' && functions.rows.get(node.fn) === undefined) refuse(node, `no row function ${node.fn}`)
    if (node.kind === 'table-apply') {
      const fn = functions.tables.get(node.fn)
      const keepsSegments = (name: string): boolean => !isReadByRow(tables.get(name))
      const reason = fn === undefined ? `no table function ${node.fn}` : physicalRefusal(node, fn, keepsSegments)
      if (reason !== undefined) refuse(node, reason)
    }
    const calls = node.kind === 'aggregate' ? node.aggregates : node.kind === 'window' ? node.calls : []
    for (const { call } of calls) {
      if (functions.stats.get(call.fn) === undefined) refuse(node, `no stats function ${call.fn}`)
    }
  })
  return refusal
}

function isReadByRow(table: Table | undefined): boolean {
  return table !== undefined && !hasSegments(table)
}

/** Tables by name: a memory store, or those of a user. */
export interface Tables {
  readonly tables: ReadonlyMap<string, Table>
}

/**
 * Runs whole plans: over segments where tables have them, else over the batches that tables give, which are asked for
 * only the fields, conditions, times and rows that the plan needs.
 */
export function columnarBackend({ tables }: Tables, functions: Functions): Backend {
  return {
    name: 'columnar',
    accept: (plan) => acceptance(plan, tables, functions),
    prepare(plan, query) {
      const schema = schemaOf(plan)
      const scans = scanPlans(plan, tables, functions)
      const notesOf = (node: LogicalPlan): readonly string[] => {
        const asked = node.kind === 'scan' && isReadByRow(tables.get(node.table)) ? scans.get(node) : undefined
        return asked === undefined ? [] : scanPlanNotes(asked)
      }
      let last: Planned | undefined
      return {
        schema,
        explain: () => explainPlanned(plan, last, notesOf),
        async *run() {
          const end = new AbortController()
          const closers: (() => void | Promise<void>)[] = []
          try {
            const waits = new Waits()
            const segments = await segmentsOf(scans, tables, query, end.signal)
            const compiler = new ExprCompiler(functions)
            const context: ExecContext = {
              tables,
              scans,
              segments,
              waits,
              closers,
              signal: end.signal,
              functions,
              query,
              compiler,
              measures: new Map(),
            }
            last = planOperators(plan, context)
            yield* drive(last.operator, schema, query, waits)
          } finally {
            end.abort()
            for (const close of closers) await close()
          }
        },
      }
    },
  }
}

async function segmentsOf(
  scans: ReadonlyMap<Scan, ScanPlan>,
  tables: ReadonlyMap<string, Table>,
  { budget }: QueryContext,
  signal: AbortSignal,
): Promise<ReadonlyMap<Scan, readonly Segment[]>> {
  const found = new Map<Scan, readonly Segment[]>()
  for (const [scan, { exact, superset, columns, range, order, limitRows }] of scans) {
    const table = tables.get(scan.table)
    if (table === undefined || !hasSegments(table)) continue
    const request = { columns, predicate: [...exact, ...superset], range, order, limitRows, budget, signal }
    found.set(scan, await table.segments(request))
  }
  return found
}
