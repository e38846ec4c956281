import type { FunctionDefinitions } from '../functions/index.ts'
import {
  exprChildren,
  expressions,
  fingerprint,
  printExpr,
  schemaOf,
  visit,
  visitExpr,
  type Expr,
  type ExprKind,
  type LogicalPlan,
  type Scan,
} from '../plan/index.ts'

const unboundKinds: ReadonlySet<ExprKind> = new Set(['field-filter', 'implicit-and', 'stream-filter'])

const predicateKinds: ReadonlySet<ExprKind> = new Set([
  'and',
  'or',
  'not',
  'test',
  'any-field',
  'in-subquery',
  'call',
  'case',
  'literal',
  'column',
])

type Say = (problem: string) => void

function checkExpr(root: Expr, functions: FunctionDefinitions, say: Say): void {
  visitExpr(root, (expr) => {
    if (unboundKinds.has(expr.kind)) say(`unbound ${expr.kind}: ${printExpr(expr)}`)
    if (expr.kind === 'column' && expr.name === '') say('a column without a name')
    if (expr.kind === 'call') {
      const definition = functions.scalar.get(expr.name)
      if (definition === undefined) say(`unknown function ${expr.name}`)
      else if (definition.name !== expr.name) say(`alias ${expr.name} of function ${definition.name}`)
    }
    if (expr.kind === 'and' || expr.kind === 'or' || expr.kind === 'not') {
      for (const child of exprChildren(expr)) {
        if (!predicateKinds.has(child.kind)) say(`${child.kind} is not a predicate: ${printExpr(expr)}`)
      }
    }
    if (expr.kind === 'test' && expr.test.kind === 'glob' && expr.test.parts.length < 2) say('a glob without a star')
  })
}

function isCount(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 0)
}

function checkNode(node: LogicalPlan, functions: FunctionDefinitions, say: Say): void {
  for (const expr of expressions(node)) checkExpr(expr, functions, say)
  const names = schemaOf(node).fields.map((f) => f.name)
  if (new Set(names).size !== names.length) say(`${node.kind} has two columns of one name: ${names.join(', ')}`)
  switch (node.kind) {
    case 'scan':
      if (node.table === '') say('a scan without a table')
      if (node.columns !== undefined && new Set(node.columns).size !== node.columns.length) say('a scan column twice')
      if (node.guard !== undefined) checkExpr(node.guard, functions, say)
      break
    case 'aggregate':
    case 'window': {
      const calls = node.kind === 'aggregate' ? node.aggregates : node.calls
      for (const { call } of calls) {
        const definition = functions.stats.get(call.fn)
        if (definition === undefined) say(`unknown stats function ${call.fn}`)
        else if (definition.name !== call.fn) say(`alias ${call.fn} of stats function ${definition.name}`)
      }
      break
    }
    case 'apply':
      if (functions.rows.get(node.fn) === undefined) say(`unknown row function ${node.fn}`)
      break
    case 'table-apply':
      if (functions.tables.get(node.fn) === undefined) say(`unknown table function ${node.fn}`)
      break
    case 'limit':
    case 'sort':
    case 'limit-by':
      if (!isCount(node.offset) || !isCount(node.limit))
        say(`${node.kind} with offset ${node.offset}, limit ${node.limit}`)
      break
    case 'distinct':
      if (!isCount(node.limit)) say(`distinct with limit ${node.limit}`)
      break
    case 'union':
      if (node.inputsList.length === 0) say('a union of nothing')
      break
    default:
      break
  }
}

/** Returns the violations of the invariants of bound plans, on which every backend relies; empty for a valid plan. */
export function planProblems(plan: LogicalPlan, functions: FunctionDefinitions): readonly string[] {
  const problems: string[] = []
  visit(plan, (node) => checkNode(node, functions, (problem) => problems.push(problem)))
  return problems
}

/** Returns all scans of a plan, subqueries included. */
export function scansOf(plan: LogicalPlan): readonly Scan[] {
  const scans: Scan[] = []
  visit(plan, (node) => {
    if (node.kind === 'scan') scans.push(node)
  })
  return scans
}

function guardKey(scan: Scan): string {
  return `${scan.table} ${scan.guard === undefined ? '-' : fingerprint({ ...scan, predicate: undefined, columns: undefined, range: { startNs: 0n, endNs: 0n } })}`
}

/** True if every scan of `after` has a guard that some scan of the same table in `before` had. */
export function areGuardsKept(before: LogicalPlan, after: LogicalPlan): boolean {
  const known = new Set(scansOf(before).map(guardKey))
  return scansOf(after).every((scan) => known.has(guardKey(scan)))
}
