import { ERROR_DETAILS_LABEL, ERROR_LABEL, type EntryResult, type NeededLabels } from '../../functions/logql/index.ts'
import type { LabelCondition, Stage, Unwrap } from './ast.ts'

/** A stage; a parser stage also has the labels that later stages read, unless they read all labels. */
export type RequiredStage = Stage & { readonly needed?: NeededLabels }

/** The stages that affect a result, and what they read from stored rows: labels, and possibly the line. */
export interface LabelsNeeded {
  readonly stages: readonly RequiredStage[]
  readonly needsLine: boolean
  /** Names of the labels; `undefined` means every label. */
  readonly labels: ReadonlySet<string> | undefined
}

/** Returns the names of the labels that a condition reads. */
export function labelsIn(condition: LabelCondition): readonly string[] {
  if (!('lhs' in condition)) return [condition.label]
  return [...labelsIn(condition.lhs), ...labelsIn(condition.rhs)]
}

/** True if a condition compares only strings, and so cannot fail. */
function isOfTexts(condition: LabelCondition): boolean {
  if ('lhs' in condition) return isOfTexts(condition.lhs) && isOfTexts(condition.rhs)
  return condition.kind === 'text'
}

function labelsOfUnwrap({ label, filters }: Unwrap): readonly string[] {
  return [label, ...filters.flatMap(({ condition }) => labelsIn(condition))]
}

const ERROR_LABELS: ReadonlySet<string> = new Set([ERROR_LABEL, ERROR_DETAILS_LABEL])

/** True if a stage only drops labels for which `isDropped` returns true, from every entry. */
function dropsOnly(stage: Stage, isDropped: (label: string) => boolean): boolean {
  return stage.kind === 'drop' && stage.labels.every(({ label, matcher }) => matcher === undefined && isDropped(label))
}

function dropsErrors(stage: Stage): boolean {
  return (
    stage.kind === 'drop' && stage.labels.some(({ label, matcher }) => label === ERROR_LABEL && matcher === undefined)
  )
}

/**
 * True if a parser stage produces none of the labels that later stages read, because entries have them before
 * (`given`).
 */
function isIdle(labels: ReadonlySet<string> | undefined, given: ReadonlySet<string> = new Set()): boolean {
  return labels !== undefined && [...labels].every((label) => given.has(label))
}

/**
 * Removes stages that do not affect the result: changes of a line that is not read, and parsers after which no label is
 * read. Lines that a removed parser could not parse are still counted, as in Loki. If errors are dropped after a
 * parser, labels that every entry has before it (`given`) do not count as read.
 */
export function requiredStages(
  stages: readonly Stage[],
  result: EntryResult,
  given: ReadonlySet<string>,
): LabelsNeeded {
  const left: RequiredStage[] = []
  let areErrorsDropped = false
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
        if (isIdle(labels, areErrorsDropped ? given : undefined) && !(needsLine && stage.kind === 'unpack')) continue
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
        areErrorsDropped ||= dropsErrors(stage)
        break
    }
    left.push(stage)
  }
  // Before the first stage that can fail, no entry has error labels.
  const isNothing = (label: string): boolean => ERROR_LABELS.has(label) || labels?.has(label) === false
  let mayHaveFailed = false
  const deciding = left.toReversed().filter((stage) => {
    if (!mayHaveFailed && dropsOnly(stage, isNothing)) return false
    mayHaveFailed ||= !(stage.kind === 'line-filter' || (stage.kind === 'label-filter' && isOfTexts(stage.condition)))
    return true
  })
  return { stages: deciding, needsLine, labels }
}
