import { inputs, opsOf, type ExplainMeasure, type ExplainTree, type LogicalPlan } from '../../plan/index.ts'

/** A plan that runs as one statement, whose notes and measures stand at the top. */
export function explainNodes(
  plan: LogicalPlan,
  owner: string,
  notes: readonly string[],
  measured: ExplainMeasure | undefined,
): ExplainTree {
  return {
    kind: plan.kind,
    label: opsOf(plan).label(plan),
    owner,
    notes,
    estimateRows: undefined,
    measured,
    inputs: inputs(plan).map((input) => explainNodes(input, owner, [], undefined)),
  }
}
