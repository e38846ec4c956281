import { assertNever, compileRegexp } from '../../base/index.ts'
import { dropColor } from '../../data/index.ts'
import { captureLine, readCapturePattern } from './capture-pattern.ts'
import { ERROR_DETAILS_LABEL, ERROR_LABEL, labelName, type LogEntry } from './entry.ts'
import { compileCondition, compileLabelMatch, type EntryTest } from './label-filter.ts'
import { compileLineFilter, lineRegexp } from './line-filter.ts'
import { compileJsonPaths, parseJsonLine, unpackLine } from './parsers/json.ts'
import { compileLogfmtKeys, parseLogfmtLine } from './parsers/logfmt.ts'
import { NeededNames } from './needed-names.ts'
import type { LabelAssignment, LabelChoice, LogqlStage, NeededLabels } from './stage.ts'
import { compileTemplate, type StageTemplate } from './templates.ts'
import type { TemplateData } from './template/index.ts'

/** Name of the error of an entry whose template failed. */
export const TEMPLATE_ERROR = 'TemplateFormatErr'

function compileRegexpParser(pattern: string): (entry: LogEntry) => void {
  const regexp = compileRegexp(lineRegexp(pattern), false)
  return (entry) => {
    const { line } = entry
    const match = regexp.find(line)
    if (match === undefined) return
    for (const [group, name] of regexp.groupNames.entries()) {
      if (name === undefined) continue
      const start = match[2 * group] ?? -1
      entry.set(
        entry.parsedName(labelName(name)),
        start === -1 ? '' : line.slice(start, match[2 * group + 1]),
        'parsed',
      )
    }
  }
}

function compilePatternParser(pattern: string): (entry: LogEntry) => void {
  const segments = readCapturePattern(pattern)
  return (entry) => {
    if (entry.line === '') return
    for (const [name, text] of captureLine(segments, entry.line)) entry.set(entry.parsedName(name), text, 'parsed')
  }
}

/** Returns the data of an entry that templates can read. */
function dataOf(entry: LogEntry, nowNs: bigint): TemplateData {
  return {
    label: (name) => (name === ERROR_DETAILS_LABEL ? entry.errorDetails : entry.get(name)),
    labels: function* () {
      for (const [name, value] of entry.labels()) yield [name, value]
    },
    line: () => entry.line,
    timestampNs: () => entry.timeNs,
    nowNs: () => nowNs,
  }
}

/**
 * Returns the data with a copy of the labels. All templates of a stage read the labels as they were before the stage; a
 * rename, in contrast, reads the current label.
 */
function withLabelsOf(data: TemplateData): TemplateData {
  const labels = new Map(data.labels())
  return { ...data, label: (name) => labels.get(name), labels: () => labels }
}

function compileLabelFormat(parts: readonly LabelAssignment[], nowNs: bigint): (entry: LogEntry) => void {
  const steps = parts.map(({ label, from }) => {
    if (from.kind === 'label')
      return (entry: LogEntry): void => {
        // Error labels cannot be renamed.
        const value = entry.categoryOf(from.value) === undefined ? undefined : entry.get(from.value)
        if (value === undefined) return
        entry.set(label, value, 'parsed')
        entry.delete(from.value)
      }
    const run = compileTemplate(from.template, 'label')
    return (entry: LogEntry, before: TemplateData): void => {
      const made = run(before)
      if ('error' in made) entry.fail(TEMPLATE_ERROR, made.error)
      else entry.set(label, made.text, entry.categoryOf(label) ?? 'parsed')
    }
  })
  return (entry) => {
    const data = dataOf(entry, nowNs)
    const before = steps.length === 1 ? data : withLabelsOf(data)
    for (const step of steps) step(entry, before)
  }
}

const ERRORS = new Set([ERROR_LABEL, ERROR_DETAILS_LABEL])

interface Choice {
  readonly label: string
  readonly matches: ((text: string) => boolean) | undefined
}

function choicesOf(labels: readonly LabelChoice[]): readonly Choice[] {
  return labels.map(({ label, matcher }) => ({ label, matches: matcher && compileLabelMatch(matcher) }))
}

function compileDrop(labels: readonly LabelChoice[]): (entry: LogEntry) => void {
  const choices = choicesOf(labels)
  return (entry) => {
    for (const { label, matches } of choices) {
      if (matches?.(entry.get(label) ?? '') === false) continue
      if (label === ERROR_LABEL) entry.forgetError()
      else if (label === ERROR_DETAILS_LABEL) entry.forgetDetails()
      else entry.delete(label)
    }
  }
}

function compileKeep(labels: readonly LabelChoice[]): (entry: LogEntry) => void {
  const choices = choicesOf(labels)
  return (entry) => {
    for (const name of entry.names()) {
      if (ERRORS.has(name)) continue
      const value = entry.get(name) ?? ''
      if (!choices.some(({ label, matches }) => label === name && matches?.(value) !== false)) entry.delete(name)
    }
  }
}

function compileLineFormat(template: StageTemplate, nowNs: bigint): (entry: LogEntry) => void {
  const run = compileTemplate(template, 'line')
  return (entry) => {
    const made = run(dataOf(entry, nowNs))
    if ('error' in made) entry.fail(TEMPLATE_ERROR, made.error)
    else entry.line = made.text
  }
}

type Parse = (entry: LogEntry, needed: NeededNames | undefined) => void

function parsing(labels: NeededLabels | undefined, parse: Parse): (entry: LogEntry) => void {
  const needed = labels === undefined ? undefined : new NeededNames(labels)
  return (entry) => parse(entry, needed)
}

/** Compiles a stage that changes entries and keeps all of them. */
function compileChange(
  stage: Exclude<LogqlStage, { readonly kind: 'line-filter' | 'label-filter' }>,
  nowNs: bigint,
): (entry: LogEntry) => void {
  switch (stage.kind) {
    case 'json':
      return stage.extractions.length === 0 ? parsing(stage.needed, parseJsonLine) : compileJsonPaths(stage.extractions)
    case 'logfmt':
      return stage.extractions.length === 0
        ? parsing(stage.needed, (entry, needed) => parseLogfmtLine(entry, stage, needed))
        : compileLogfmtKeys(stage.extractions, stage)
    case 'pattern':
      return compilePatternParser(stage.pattern)
    case 'regexp':
      return compileRegexpParser(stage.regexp)
    case 'unpack':
      return unpackLine
    case 'line-format':
      return compileLineFormat(stage.template, nowNs)
    case 'label-format':
      return compileLabelFormat(stage.parts, nowNs)
    case 'decolorize':
      return (entry) => {
        entry.line = dropColor(entry.line)
      }
    case 'drop':
      return compileDrop(stage.labels)
    case 'keep':
      return compileKeep(stage.labels)
    default:
      return assertNever(stage)
  }
}

function compileStage(stage: LogqlStage, nowNs: bigint): EntryTest {
  if (stage.kind === 'label-filter') return compileCondition(stage.condition)
  if (stage.kind === 'line-filter') {
    const test = compileLineFilter(stage)
    return (entry) => test(entry.line)
  }
  const change = compileChange(stage, nowNs)
  return (entry) => {
    change(entry)
    return true
  }
}

/**
 * Compiles stages to a function that changes an entry and returns whether it is kept. `nowNs` is the time of the query.
 */
export function compileStages(stages: readonly LogqlStage[], nowNs: bigint): EntryTest {
  const steps = stages.map((stage) => compileStage(stage, nowNs))
  return (entry) => steps.every((step) => step(entry))
}
