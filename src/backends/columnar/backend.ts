import { schemaOf, visit, type LogicalPlan, type Scan, type Table } from '../../plan/index.ts'
import { scanPlanNotes, scanPlans, sharedSubplans, type ScanPlan } from '../../optimize/index.ts'
import type { Functions } from '../../functions/index.ts'
import { hasSegments } from '../../store/index.ts'
import type { Acceptance, Backend } from '../backend.ts'
import { physicalRefusal } from './physical/accept.ts'
import { PlanRun } from './plan-run.ts'
import type { Parallelism } from './morsels/parallelism.ts'
import { explainPlanned, type Planned } from './planner.ts'

/**
 * Accepts a plan unless one of its nodes has an unknown table or function, or a function about segments where it cannot
 * run.
 */
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

/** The tables of a query by name: tables of the memory store and tables that a user defined. */
export interface Tables {
  readonly tables: ReadonlyMap<string, Table>
}

export interface ColumnarOptions {
  /** The threads that compute morsels (ranges of rows) of long queries; none by default. */
  readonly parallelism?: Parallelism | undefined
}

/**
 * Returns the backend that runs complete plans. It reads segments from tables that have segments, and batches from all
 * others. The latter receive only the fields, conditions, times and row limit that the plan needs.
 */
export function columnarBackend(
  { tables }: Tables,
  functions: Functions,
  { parallelism }: ColumnarOptions = {},
): Backend {
  return {
    name: 'columnar',
    tables,
    accept: (plan) => acceptance(plan, tables, functions),
    prepare(plan, query) {
      const schema = schemaOf(plan)
      const scans = scanPlans(plan, tables, functions)
      let last: Planned | undefined
      let latest: PlanRun | undefined
      return {
        schema,
        explain() {
          const shared = sharedSubplans(plan, functions, ({ table }) => isReadByRow(tables.get(table)))
          return explainPlanned(plan, last, (node) => [
            ...sharedNotes(shared.get(node)),
            ...notesOf(node, scans, tables),
          ])
        },
        run: () => {
          const observe = (planned: Planned): void => void (last = planned)
          latest = new PlanRun({ plan, scans, tables, functions, query, parallelism, observe })
          return latest.batches()
        },
        soFar: (context) => latest?.soFar(context),
      }
    },
  }
}

function sharedNotes(readers: number | undefined): readonly string[] {
  return readers === undefined ? [] : [`stands at ${readers} places of the plan and is computed once`]
}

/** Returns the notes of a node for `explain`: what a scan requests from a table that must fetch its rows. */
function notesOf(
  node: LogicalPlan,
  scans: ReadonlyMap<Scan, ScanPlan>,
  tables: ReadonlyMap<string, Table>,
): readonly string[] {
  if (node.kind !== 'scan') return []
  const table = tables.get(node.table)
  const scanPlan = scans.get(node)
  if (table === undefined || scanPlan === undefined) return []
  if (!hasSegments(table)) return [...(table.note === undefined ? [] : [table.note]), ...scanPlanNotes(scanPlan)]
  return table.open === undefined ? [] : scanPlanNotes(scanPlan, table.positionField !== undefined)
}
