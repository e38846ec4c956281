import { work } from '../../../base/index.ts'
import { METRIC_NAME, formatNumber, printHistogram, type Labels } from '../../../data/index.ts'
import {
  ABSENT,
  FLOAT,
  SERIES_BYTES,
  STEP_BYTES,
  hasAny,
  histogramAt,
  newColumn,
  type ColumnWriter,
} from '../columns.ts'
import type { SeriesAggregation } from '../definition.ts'
import { failSeries } from '../diagnostics.ts'
import { madeLabels } from '../label-limits.ts'
import { isLabelName } from '../label-functions.ts'
import { vector } from '../values.ts'

/**
 * The aggregation `count_values`: one element for each distinct value of a group, with the number of its occurrences.
 */
export const countValues: SeriesAggregation = {
  name: 'count_values',
  evaluate(groups, call) {
    const label = String(call.param)
    if (!isLabelName(label)) failSeries('bad-label-name', { name: label, fn: '' }, call.paramOrigin)
    const byKey = new Map<string, ColumnWriter>()
    let heldBytes = 0
    const columnFor = (labels: Labels, isNameDropped: boolean): ColumnWriter => {
      const key = `${isNameDropped ? 1 : 0}${labels.key}`
      let column = byKey.get(key)
      if (column === undefined) {
        const bytes = SERIES_BYTES + call.steps.count * STEP_BYTES
        call.budget.charge(bytes)
        heldBytes += bytes
        call.budget.checkpoint()
        column = newColumn(labels, isNameDropped, call.steps.count)
        byKey.set(key, column)
      }
      return column
    }
    for (const group of groups) {
      const isNameDropped = label === METRIC_NAME ? false : group.isNameDropped
      const byText = new Map<string, ColumnWriter>()
      for (const member of group.members) {
        for (let step = 0; step < member.kinds.length; step++) {
          if (member.kinds[step] === ABSENT) continue
          work(4)
          const text =
            member.kinds[step] === FLOAT
              ? labelText(member.values[step])
              : printHistogram(histogramAt(member, step), labelText)
          let column = byText.get(text)
          if (column === undefined) {
            column = columnFor(
              madeLabels(group.labels.with(label, text), 'count_values', call.origin, call),
              isNameDropped,
            )
            byText.set(text, column)
          }
          column.values[step]++
          column.kinds[step] = FLOAT
        }
      }
    }
    // Releases the charge, because the memory of the whole answer is charged when the answer is returned.
    call.budget.charge(-heldBytes)
    return vector([...byKey.values()].filter((column) => hasAny(column)))
  },
}

function labelText(value: number): string {
  return Object.is(value, -0) ? '-0' : formatNumber(value)
}
