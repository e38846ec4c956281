import { Regex, SluiceError, checkpoint } from '../../base/index.ts'
import { METRIC_NAME, type Labels } from '../../data/index.ts'
import { relabel, type SeriesColumn } from './columns.ts'
import type { SeriesCallContext, SeriesFunction, VectorValue } from './definition.ts'
import { checkLabelChars, madeLabels } from './label-limits.ts'
import { failSeries } from './diagnostics.ts'
import { mergeEqualLabels } from './merge.ts'
import { textArg, vector, vectorArg } from './values.ts'

/** True for a non-empty string of valid Unicode. */
export function isLabelName(name: string): boolean {
  return name !== '' && name.isWellFormed()
}

function checkLabelName(name: string, fn: string, role: 'source' | 'destination', call: SeriesCallContext): void {
  if (!isLabelName(name)) failSeries('bad-label-of-function', { name, fn, role }, call.origin)
}

/** Sets one label of every series. If the label is the metric name, it is not dropped at the end. */
function setLabel(
  series: readonly SeriesColumn[],
  label: string,
  fn: string,
  call: SeriesCallContext,
  valueOf: (labels: Labels) => string | undefined,
): VectorValue {
  const changed: SeriesColumn[] = []
  for (const column of series) {
    checkpoint()
    const value = valueOf(column.labels)
    if (value === undefined) {
      changed.push(column)
      continue
    }
    const isNameDropped = label === METRIC_NAME ? false : column.isNameDropped
    const labels = madeLabels(column.labels.with(label, value), fn, call.origin, call)
    changed.push(relabel(column, labels, isNameDropped))
  }
  return vector(mergeEqualLabels(changed, call.origin, true))
}

function compile(pattern: string, call: SeriesCallContext): Regex {
  try {
    return Regex.compile(pattern, { isWhole: true, dotMatchesNewline: true })
  } catch (error) {
    if (error instanceof SluiceError) throw error
    return failSeries('bad-regex', { fn: 'label_replace', pattern }, call.origin)
  }
}

const labelReplace: SeriesFunction = {
  name: 'label_replace',
  evaluate: (args, call) => {
    const label = textArg(args, 1)
    const replacement = textArg(args, 2)
    const source = textArg(args, 3)
    const regex = compile(textArg(args, 4), call)
    checkLabelName(label, 'label_replace', 'destination', call)
    const check = (chars: number): void => checkLabelChars(chars, 'label_replace', call.origin)
    return setLabel(vectorArg(args, 0).series, label, 'label_replace', call, (labels) =>
      regex.expand(labels.get(source), replacement, check),
    )
  },
}

const labelJoin: SeriesFunction = {
  name: 'label_join',
  evaluate: (args, call) => {
    const label = textArg(args, 1)
    const separator = textArg(args, 2)
    const sources = args.slice(3).map((_, i) => textArg(args, i + 3))
    for (const source of sources) checkLabelName(source, 'label_join', 'source', call)
    checkLabelName(label, 'label_join', 'destination', call)
    return setLabel(vectorArg(args, 0).series, label, 'label_join', call, (labels) => {
      const values = sources.map((source) => labels.get(source))
      const chars = values.reduce((sum, value) => sum + value.length, separator.length * (values.length - 1))
      checkLabelChars(chars, 'label_join', call.origin)
      return values.join(separator)
    })
  },
}

export const labelFunctions: readonly SeriesFunction[] = [labelReplace, labelJoin]
