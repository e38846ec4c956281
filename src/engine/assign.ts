import { SluiceError, derived } from '../base/index.ts'
import type { Acceptance, Acceptor, Backend } from '../backends/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import { conjuncts } from '../optimize/index.ts'
import {
  columnsOf,
  conjunction,
  fieldPattern,
  inputs,
  mapInputs,
  opsOf,
  schemaOf,
  visit,
  type Expr,
  type Filter,
  type LogicalPlan,
  type Scan,
  type Values,
} from '../plan/index.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { prefilterOf } from './prefilter.ts'

/**
 * A plan with the backend that runs it. Each `values` node in `inputs` is a placeholder for the rows of another
 * fragment.
 */
export interface BackendFragment<B extends Acceptor = Backend> {
  readonly backend: B
  readonly plan: LogicalPlan
  /** The fragment that produces the rows of each such `values` node. */
  readonly inputs: ReadonlyMap<Values, BackendFragment<B>>
  /** Reason why the owner of the data does not run this fragment; `undefined` if it does. */
  readonly reason: string | undefined
}

function labelOf(node: LogicalPlan): string {
  const label = opsOf(node).label(node)
  return label === '' ? node.kind : `${node.kind} ${label}`
}

function accepts(backend: Acceptor, plan: LogicalPlan): boolean {
  return backend.accept(plan).kind === 'whole'
}

/** Splits a predicate into conjuncts for which `canTest` returns true, and the others. */
function splitPredicate(
  predicate: Expr,
  canTest: (conjunct: Expr) => boolean,
): { readonly taken: readonly Expr[]; readonly left: readonly Expr[] } {
  const all = conjuncts(predicate)
  const taken = all.filter(canTest)
  return { taken, left: all.filter((conjunct) => !taken.includes(conjunct)) }
}

/** Adds the columns that conditions above a scan read to the scan. */
function withColumns(scan: Scan, readers: readonly Expr[]): Scan {
  if (scan.columns === undefined) return scan
  const columns = new Set(scan.columns)
  for (const reader of readers) {
    const names = columnsOf(reader)
    if (names === undefined) return { ...scan, columns: undefined }
    for (const name of names) columns.add(name)
  }
  return columns.size === scan.columns.length ? scan : { ...scan, columns: [...columns] }
}

/**
 * Returns the scan with its guard split. `guardAbove` contains the guard conjuncts that the backend cannot test;
 * `guardImplies` contains weaker conditions, implied by them, that it can test.
 */
function withTestedGuard(scan: Scan, backend: Acceptor): Scan {
  const { guard } = scan
  const bare: Scan = { ...scan, predicate: undefined, columns: undefined }
  if (guard === undefined || accepts(backend, bare)) return scan
  const guardAbove = conjuncts(guard).filter((conjunct) => !accepts(backend, { ...bare, guard: conjunct }))
  if (guardAbove.length === 0) return scan
  const canTest = (conjunct: Expr): boolean => accepts(backend, { ...bare, guardAbove, guardImplies: [conjunct] })
  return { ...scan, guardAbove, guardImplies: guardAbove.flatMap((conjunct) => prefilterOf(conjunct, canTest) ?? []) }
}

/**
 * Moves conditions that the backend cannot test out of a scan. Conditions of the query become a filter above the scan;
 * conditions of a guard must be tested by the fragment that receives the rows. If these conditions imply weaker ones
 * that the backend can test, the weaker ones are added to the scan.
 */
function peelScan(scan: Scan, backend: Acceptor): LogicalPlan {
  const guarded = withTestedGuard(scan, backend)
  const guardAbove = guarded.guardAbove ?? []
  const canTest = (predicate: Expr): boolean => accepts(backend, { ...guarded, predicate })
  const { taken, left } =
    scan.predicate === undefined ? { taken: [], left: [] } : splitPredicate(scan.predicate, canTest)
  if (left.length === 0 && guardAbove.length === 0) return scan
  const origin = derived('assign', [scan.origin])
  const implied = left.flatMap((conjunct) => prefilterOf(conjunct, canTest) ?? [])
  const sent = [...taken, ...implied]
  const bare = { ...guarded, predicate: sent.length === 0 ? undefined : conjunction(sent, origin) }
  const below = withColumns(bare, [...left, ...guardAbove])
  const filter: LogicalPlan =
    left.length === 0 ? below : { kind: 'filter', input: below, predicate: conjunction(left, origin), origin }
  if (below.columns === scan.columns) return filter
  // Drops the fields that were read only for the condition. `drop` is better than `project`, which would set fields
  // that a row lacks to `null`.
  const { fields, isOpen } = scan.tableSchema
  const kept = new Set(scan.columns)
  const known = below.columns ?? (isOpen ? undefined : fields.map(({ name }) => name))
  const added = known?.filter((name) => !kept.has(name))
  if (added !== undefined) {
    return { kind: 'drop', input: filter, fields: added.map((name) => fieldPattern(name)), origin }
  }
  return { kind: 'project', input: filter, fields: (scan.columns ?? []).map((name) => fieldPattern(name)), origin }
}

function peelFilter(node: Filter, backend: Acceptor): LogicalPlan {
  const { taken, left } = splitPredicate(node.predicate, (predicate) => accepts(backend, { ...node, predicate }))
  if (taken.length === 0 || left.length === 0) return node
  const below: Filter = { ...node, predicate: conjunction(taken, node.origin) }
  return { ...node, input: below, predicate: conjunction(left, node.origin) }
}

/** Rewrites a node that the backend refuses, so that the conditions that the backend accepts are below the others. */
function peel(node: LogicalPlan, backend: Acceptor): LogicalPlan {
  if (node.kind === 'scan') return peelScan(node, backend)
  return node.kind === 'filter' ? peelFilter(node, backend) : node
}

interface Cut<B extends Acceptor> {
  readonly plan: LogicalPlan
  readonly fragments: Map<Values, BackendFragment<B>>
}

/**
 * Splits a plan: assigns the largest subtrees that the owner can run to the owner. The returned plan reads their rows.
 */
function cutFor<B extends Acceptor>(owner: B, root: LogicalPlan): Cut<B> {
  const fragments = new Map<Values, BackendFragment<B>>()
  const known = new Map<LogicalPlan, LogicalPlan>()
  // Memoized, so that a subtree that occurs twice becomes a single fragment.
  const cut = (node: LogicalPlan): LogicalPlan => {
    const found = known.get(node) ?? cutOnce(node)
    known.set(node, found)
    return found
  }
  const cutOnce = (node: LogicalPlan): LogicalPlan => {
    if (!accepts(owner, node)) {
      const peeled = peel(node, owner)
      return peeled !== node && peeled.kind === 'scan' ? cut(peeled) : mapInputs(peeled, cut)
    }
    const bridge: Values = {
      kind: 'values',
      outputSchema: schemaOf(node),
      rows: [],
      origin: derived('bridge', [node.origin]),
    }
    fragments.set(bridge, { backend: owner, plan: node, inputs: new Map(), reason: undefined })
    return bridge
  }
  return { plan: cut(root), fragments }
}

function reasonOf(acceptance: Acceptance, backend: Acceptor): string {
  if (acceptance.kind === 'whole') return ''
  return `${backend.name} cannot run ${labelOf(acceptance.node)}: ${acceptance.reason}`
}

/** True if rows from another fragment reach the node unaggregated, that is, as stored records. */
function hasRecordsFrom(fragments: ReadonlyMap<Values, unknown>, node: LogicalPlan): boolean {
  if (node.kind === 'values') return fragments.has(node)
  if (node.kind === 'aggregate' || node.kind === 'distinct') return false
  return inputs(node).some((input) => hasRecordsFrom(fragments, input))
}

/**
 * Returns a `sample` node that is above stored records of another fragment; `undefined` if there is none. Such a node
 * needs the stored record, which only the backend that stores it has.
 */
function sampleOverRows(plan: LogicalPlan, fragments: ReadonlyMap<Values, unknown>): LogicalPlan | undefined {
  let found: LogicalPlan | undefined
  visit(plan, (node) => {
    if (node.kind === 'sample' && hasRecordsFrom(fragments, node.input)) found = node
  })
  return found
}

/**
 * Returns a table function about storage in the plan; `undefined` if there is none. Only the backend that stores the
 * rows can run such a function.
 */
function physicalOf(plan: LogicalPlan, { tables }: FunctionDefinitions): LogicalPlan | undefined {
  let found: LogicalPlan | undefined
  visit(plan, (node) => {
    if (node.kind === 'table-apply' && tables.get(node.fn)?.physical !== undefined) found = node
  })
  return found
}

/**
 * Assigns a plan to backends. The owner of the data runs the whole plan or as much of it as it can; `upper` runs the
 * rest. Throws `engine/unsupported-node` if neither can run a node.
 */
export function assign<B extends Acceptor>(
  plan: LogicalPlan,
  owner: B,
  upper: B,
  functions: FunctionDefinitions,
): BackendFragment<B> {
  const whole = owner.accept(plan)
  if (whole.kind === 'whole') return { backend: owner, plan, inputs: new Map(), reason: undefined }
  const { plan: rest, fragments } = cutFor(owner, plan)
  const above = upper.accept(rest)
  if (above.kind === 'not' || upper === owner) {
    const failed = above.kind === 'not' ? above : whole
    const data = { backend: upper.name, node: labelOf(failed.node), reason: failed.reason }
    throw new SluiceError([engineDiagnostic('unsupported-node', data, failed.node.origin)])
  }
  const physical = physicalOf(rest, functions)
  if (physical !== undefined) {
    const data = { backend: owner.name, node: labelOf(physical), reason: reasonOf(whole, owner) }
    throw new SluiceError([engineDiagnostic('unsupported-node', data, physical.origin)])
  }
  const sample = sampleOverRows(rest, fragments)
  if (sample !== undefined) {
    const reason = `${reasonOf(whole, owner)}, and a sample above that would no longer know the records`
    const data = { backend: upper.name, node: labelOf(sample), reason }
    throw new SluiceError([engineDiagnostic('unsupported-node', data, sample.origin)])
  }
  return { backend: upper, plan: rest, inputs: fragments, reason: reasonOf(whole, owner) }
}
