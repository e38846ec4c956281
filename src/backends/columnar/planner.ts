import type { BlockReads } from '../../base/index.ts'
import { inputs, opsOf, type ExplainTree, type LogicalPlan } from '../../plan/index.ts'
import { frameBatches } from './blocking.ts'
import { OperatorMeasure } from './measure.ts'
import type { ExecContext } from './context.ts'
import { again, type Operator, type OperatorFactory, type UnorderedGroups } from './operator.ts'
import { operators } from './operators/index.ts'
import { rowDemand } from './row-demand.ts'
import { SharedRows } from './shared-rows.ts'

/** A node with its operator and measurements. */
interface Planned {
  readonly node: LogicalPlan
  readonly measure: OperatorMeasure
  readonly inputs: readonly Planned[]
  readonly operator: Operator
}

/** Makes the operators of a plan. Returns the root operator, with the operators of its inputs. */
export function planOperators(plan: LogicalPlan, context: ExecContext): Planned {
  const known = new Map<LogicalPlan, SharedRows>()
  const { reads } = context.query.budget
  const partly = rowDemand(plan)
  const planOwn = (node: LogicalPlan): Planned => {
    const measure = new OperatorMeasure()
    context.measures.set(node, measure)
    const below = inputs(node).map(planNode)
    const make = operators[node.kind] as OperatorFactory<LogicalPlan>
    const operator = make({
      node,
      inputs: below.map((planned) => planned.operator),
      context,
      measure,
      isPartlyRead: partly.has(node),
    })
    return { node, measure, inputs: below, operator: measured(operator, measure, reads) }
  }
  const planNode = (node: LogicalPlan): Planned => {
    if (node === context.given?.node)
      return { node, measure: new OperatorMeasure(), inputs: [], operator: frameBatches(context.given.frame) }
    const readers = context.shared.get(node)
    if (readers === undefined) return planOwn(node)
    const shared = known.get(node)
    if (shared !== undefined) {
      const measure = new OperatorMeasure()
      return { node, measure, inputs: [], operator: measured(shared.reader(), measure, reads) }
    }
    const planned = planOwn(node)
    const makeAgain = (): Operator =>
      planOperators(node, { ...context, shared: new Map(), measures: new Map<LogicalPlan, OperatorMeasure>() }).operator
    const rows = new SharedRows(planned.operator, makeAgain, readers, context.query.budget)
    known.set(node, rows)
    return { ...planned, operator: rows.reader() }
  }
  return planNode(plan)
}

function measured(operator: Operator, measure: OperatorMeasure, reads: BlockReads): Operator {
  return {
    ...(operator.scan === undefined ? {} : { scan: operator.scan }),
    ...(operator.rowsOf === undefined ? {} : { rowsOf: operator.rowsOf }),
    ...(operator.readRanges === undefined ? {} : { readRanges: operator.readRanges }),
    ...(operator.byRanges === undefined ? {} : { byRanges: operator.byRanges }),
    ...(operator.soFar === undefined ? {} : { soFar: operator.soFar }),
    ...(operator.groups === undefined ? {} : { groups: measuredGroups(operator.groups, measure, reads) }),
    pull(want) {
      const before = { ...reads }
      const startMs = performance.now()
      const frame = operator.pull(want)
      measure.milliseconds += performance.now() - startMs
      measure.readSince(before, reads)
      if (frame !== undefined && frame !== again) measure.rows += frame.rowCount
      return frame
    },
  }
}

function measuredGroups(groups: UnorderedGroups, measure: OperatorMeasure, reads: BlockReads): UnorderedGroups {
  return {
    keys: groups.keys,
    step() {
      const before = { ...reads }
      const startMs = performance.now()
      const isDone = groups.step()
      measure.milliseconds += performance.now() - startMs
      measure.readSince(before, reads)
      return isDone
    },
    frame(rows) {
      const frame = groups.frame(rows)
      if (rows === undefined) measure.rows += frame.rowCount
      return frame
    },
    topCandidates(name, direction, keep) {
      const found = groups.topCandidates(name, direction, keep)
      if (found !== undefined) measure.rows += found.groupCount
      return found
    },
  }
}

/**
 * Returns the explanation of each node: its measured work after a run, or the decisions that are known before the run.
 */
export function explainPlanned(
  node: LogicalPlan,
  planned: Planned | undefined,
  notesOf: (node: LogicalPlan) => readonly string[],
): ExplainTree {
  return {
    kind: node.kind,
    label: opsOf(node).label(node),
    owner: 'columnar',
    notes: [...notesOf(node), ...(planned?.measure.notes ?? [])],
    estimateRows: undefined,
    measured: planned?.measure.snapshot(),
    inputs: inputs(node).map((input, index) => explainPlanned(input, planned?.inputs[index], notesOf)),
  }
}

/** Returns the deepest aggregating operator below nodes with a single input; `undefined` when there is none. */
export function adderOf(planned: Planned): Planned | undefined {
  const [input, ...others] = planned.inputs
  const below = input === undefined || others.length > 0 ? undefined : adderOf(input)
  return below ?? (planned.operator.soFar === undefined ? undefined : planned)
}

export type { Planned }
