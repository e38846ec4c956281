import { columnsOf, inputs, opsOf, propertiesOf } from '../../plan/index.ts'
import { passesOn } from '../passing.ts'
import type { Rule } from '../rule.ts'

/**
 * Pushes a top-k below nodes that compute fields per row, so that the fields are computed only for the remaining rows.
 */
export const pushTopk: Rule = {
  name: 'push-topk',
  summary: 'The best rows are chosen before stages that work on each row and leave the keys alone.',
  examples: {
    changes: '* | extract "status=<code> " | sort by (duration_ms desc) limit 5',
    leaves: '* | extract "status=<code> " | sort by (code desc) limit 5',
  },
  direction: 'down',
  apply(plan) {
    if (plan.kind !== 'sort' || plan.limit === undefined || plan.keys.length === 0) return plan
    // Below the node the rank would be added earlier, which changes the order of the columns.
    if (plan.rankName !== undefined) return plan
    const { input } = plan
    const { isRowWise, keepsOrder, keepsRowCount } = propertiesOf(input)
    const [below] = inputs(input)
    const isPassedOn = passesOn(input)
    if (!isRowWise || !keepsOrder || !keepsRowCount || isPassedOn === undefined || below === undefined) return plan
    const reads = [...plan.keys.map((key) => key.expr), ...plan.partitionBy].map(columnsOf)
    const isFree = reads.every((names) => names !== undefined && [...names].every(isPassedOn))
    return isFree ? opsOf(input).withInputs(input, [{ ...plan, input: below }]) : plan
  },
}
