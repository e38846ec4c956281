import type { EntryResult, NeededLabels } from '../../functions/logql/index.ts'
import type { LabelCondition, Stage, Unwrap } from './ast.ts'

/** A stage; of a parser also which labels are read behind it, if not all. */
export type RequiredStage = Stage & { readonly needed?: NeededLabels }

/** The stages that decide a result, and what they read of stored rows. */
export interface LabelsNeeded {
  readonly stages: readonly RequiredStage[]
  readonly needsLine: boolean
  /** `undefined` for every label. */
  readonly labels: ReadonlySet<string> | undefined
}

function labelsIn(condition: LabelCondition): readonly string[] {
  if (!('lhs' in condition)) return [condition.label]
  return [...labelsIn(condition.lhs), ...labelsIn(condition.rhs)]
}

function labelsOfUnwrap({ label, filters }: Unwrap): readonly string[] {
  return [label, ...filters.flatMap(({ condition }) => labelsIn(condition))]
}

/**
 * Leaves out stages that decide nothing of a result: parsers where no label is read behind them, and lines that nobody
 * reads. As in the reference, a line that such a parser could not read then counts.
 */
export function requiredStages(stages: readonly Stage[], result: EntryResult): LabelsNeeded {
  const left: RequiredStage[] = []
  let needsLine = result.kind === 'entry' || result.of === 'bytes'
  let labels: Set<string> | undefined
  if (result.kind === 'number' && 'by' in result.labels) {
    labels = new Set(result.labels.by)
    if (typeof result.of !== 'string') for (const label of labelsOfUnwrap(result.of as Unwrap)) labels.add(label)
  }
  for (const stage of stages.toReversed()) {
    switch (stage.kind) {
      case 'line-filter':
        needsLine = true
        break
      case 'label-filter':
        for (const label of labelsIn(stage.condition)) labels?.add(label)
        break
      case 'json':
      case 'logfmt':
      case 'pattern':
      case 'regexp':
      case 'unpack':
        if (labels?.size === 0 && !(needsLine && stage.kind === 'unpack')) continue
        needsLine = true
        if (labels !== undefined && (stage.kind === 'json' || stage.kind === 'logfmt')) {
          left.push({ ...stage, needed: [...labels] })
          continue
        }
        break
      case 'line-format':
        if (!needsLine) continue
        labels = undefined
        break
      case 'decolorize':
        if (!needsLine) continue
        break
      case 'label-format':
        if (stage.parts.some(({ from }) => from.kind === 'template')) {
          labels = undefined
          needsLine = true
        }
        for (const { from, label } of stage.parts) labels?.add(from.value).add(label)
        break
      case 'drop':
      case 'keep':
        for (const { label, matcher } of stage.labels) if (matcher !== undefined) labels?.add(label)
        break
    }
    left.push(stage)
  }
  return { stages: left.toReversed(), needsLine, labels }
}
