import { assertNever } from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { isRightAssociative, precedenceOf } from '../promql/parser/operator-chain.ts'
import { printNumber, printNumberShort, quoteText } from '../promql/text/go-text.ts'
import type * as ast from './ast.ts'
import { isMadeOfLiterals } from './text/literal-regexp.ts'
import { printBytes, printDurationNs, printRange } from './text/units.ts'

/** Longest line, in bytes of UTF-8. */
const MAX_LINE_BYTES = 100
const NS_PER_MS = 1_000_000n

function indent(level: number): string {
  return '  '.repeat(level)
}

function isLong(text: string): boolean {
  return utf8Length(text) > MAX_LINE_BYTES
}

function printMatcher({ label, op, value }: LabelMatcher): string {
  return `${label}${op}${quoteText(value)}`
}

function printLineFilter({ op, alternatives }: ast.LineFilter): string {
  const texts = alternatives.map(({ kind, value }) => (kind === 'ip' ? `ip(${quoteText(value)})` : quoteText(value)))
  // A line that matches neither of two texts passes one filter for each.
  return op.startsWith('!') ? texts.map((text) => `${op} ${text}`).join(' ') : `${op} ${texts.join(' or ')}`
}

function printCondition(condition: ast.LabelCondition): string {
  switch (condition.kind) {
    case 'and':
      return `( ${printCondition(condition.lhs)} , ${printCondition(condition.rhs)} )`
    case 'or':
      return `( ${printCondition(condition.lhs)} or ${printCondition(condition.rhs)} )`
    case 'text':
      return printTextCondition(condition)
    case 'ip':
      return `${condition.label}${condition.op}ip(${quoteText(condition.value)})`
    case 'number':
      return `${condition.label}${condition.op}${printNumber(condition.value)}`
    case 'duration':
      return `${condition.label}${condition.op}${printDurationNs(condition.value)}`
    case 'bytes':
      return `${condition.label}${condition.op}${printBytes(condition.value)}`
    default:
      return assertNever(condition)
  }
}

/** Regular expressions stand in back quotes, unless they are made of literals. */
function printTextCondition({ label, op, value }: LabelMatcher): string {
  const isRegexp = (op === '=~' || op === '!~') && !value.includes('`') && !isMadeOfLiterals(value)
  return isRegexp ? `${label}${op}\`${value}\`` : printMatcher({ label, op, value })
}

function printExtractions(extractions: readonly ast.Extraction[]): string {
  if (extractions.length === 0) return ''
  return ` ${extractions.map(({ label, path }) => `${label}=${quoteText(path)}`).join(',')}`
}

function printChoices(choices: readonly ast.LabelChoice[]): string {
  return choices.map(({ label, matcher }) => (matcher === undefined ? label : printMatcher(matcher))).join(',')
}

/** Returns a stage on one line, with its `|`. */
export function formatStage(stage: ast.Stage): string {
  switch (stage.kind) {
    case 'line-filter':
      return printLineFilter(stage)
    case 'json':
      return `| json${printExtractions(stage.extractions)}`
    case 'logfmt': {
      const flags = `${stage.isStrict ? ' --strict' : ''}${stage.keepsEmpty ? ' --keep-empty' : ''}`
      return `| logfmt${flags}${printExtractions(stage.extractions)}`
    }
    case 'pattern':
      return `| pattern ${quoteText(stage.pattern)}`
    case 'regexp':
      return `| regexp ${quoteText(stage.regexp)}`
    case 'unpack':
    case 'decolorize':
      return `| ${stage.kind}`
    case 'label-filter':
      return `| ${printCondition(stage.condition)}`
    case 'line-format':
      return `| line_format ${quoteText(stage.template)}`
    case 'label-format': {
      const parts = stage.parts.map(({ label, from }) =>
        from.kind === 'label' ? `${label}=${from.value}` : `${label}=${quoteText(from.value)}`,
      )
      return `| label_format ${parts.join(',')}`
    }
    case 'drop':
    case 'keep':
      return `| ${stage.kind} ${printChoices(stage.labels)}`
    default:
      return assertNever(stage)
  }
}

function printSelector(matchers: readonly LabelMatcher[]): string {
  return `{${matchers.map(printMatcher).join(', ')}}`
}

function printLogs({ matchers, stages }: ast.LogQuery): string {
  return [printSelector(matchers), ...stages.map(formatStage)].join(' ')
}

/** Returns the stages in groups of one line each: line filters in a row share a line. */
function linesOfStages(stages: readonly ast.Stage[]): readonly string[] {
  const lines: string[] = []
  for (const [i, stage] of stages.entries()) {
    const text = formatStage(stage)
    const isContinued = stage.kind === 'line-filter' && stages[i - 1]?.kind === 'line-filter'
    if (isContinued) lines.push(`${lines.pop() ?? ''} ${text}`)
    else lines.push(text)
  }
  return lines
}

function formatLogs(logs: ast.LogQuery, level: number): string {
  const line = `${indent(level)}${printLogs(logs)}`
  if (!isLong(printLogs(logs))) return line
  const stages = linesOfStages(logs.stages).map((text) => indent(level + 1) + text)
  return [`${indent(level)}${printSelector(logs.matchers)}`, ...stages].join('\n')
}

function unwrapLines({ label, conversion, filters }: ast.Unwrap): readonly string[] {
  const value = conversion === undefined ? label : `${conversion}(${label})`
  return [`| unwrap ${value}`, ...filters.map(formatStage)]
}

function printGrouping(grouping: ast.Grouping | undefined, separator: string): string {
  if (grouping === undefined) return ''
  return ` ${grouping.isWithout ? 'without' : 'by'} (${grouping.labels.join(separator)})`
}

function printRangeAggregation(node: ast.RangeAggregation): string {
  const { fn, param, logs, unwrap, rangeMs, offsetNs, grouping } = node
  const parameter = param === undefined ? '' : `${printNumber(param)},`
  const values = unwrap === undefined ? '' : ` ${unwrapLines(unwrap).join(' ')}`
  const offset = offsetNs === 0n ? '' : ` offset ${printDurationNs(Number(offsetNs))}`
  return `${fn}(${parameter}${printLogs(logs)}${values}[${printRange(rangeMs)}]${offset})${printGrouping(grouping, ',')}`
}

function formatRangeAggregation(node: ast.RangeAggregation, level: number): string {
  const { fn, param, logs, unwrap, rangeMs, offsetNs, grouping } = node
  const values = unwrap === undefined ? [] : unwrapLines(unwrap).map((line) => indent(level + 2) + line)
  const arg = [formatLogs(logs, level + 1), ...values].join('\n')
  const lines = [
    `${indent(level)}${fn}(`,
    ...(param === undefined ? [] : [`${indent(level + 1)}${printNumber(param)},`]),
    `${arg} [${printRange(rangeMs)}]${printOffset(offsetNs)}`,
    `${indent(level)})${printGrouping(grouping, ', ')}`,
  ]
  return lines.join('\n')
}

/** Whole milliseconds print without the units that are zero, as in a range. */
function printOffset(ns: bigint): string {
  if (ns === 0n) return ''
  return ` offset ${ns % NS_PER_MS === 0n ? printRange(Number(ns / NS_PER_MS)) : printDurationNs(Number(ns))}`
}

function formatVectorAggregation(node: ast.VectorAggregation, level: number): string {
  const { op, param, grouping, expr } = node
  const args = [...(param === undefined ? [] : [`${indent(level + 1)}${param}`]), format(expr, level + 1)]
  return `${indent(level)}${op}${printGrouping(grouping, ', ')}(\n${args.join(',\n')}\n${indent(level)})`
}

function formatLabelReplace(node: ast.LabelReplace, level: number): string {
  const texts = [node.target, node.replacement, node.source, node.regexp]
  const args = [format(node.expr, level + 1), ...texts.map((text) => indent(level + 1) + quoteText(text))]
  return `${indent(level)}label_replace(\n${args.join(',\n')}\n${indent(level)})`
}

/** Returns the operator with its modifiers, on one line or alone on a line. `rhs` is the text behind it. */
function printOperator({ op, isBool, matching }: ast.Binary, isAlone: boolean, rhs: string): string {
  const text = isBool ? `${op} bool` : op
  if (matching === undefined) return text
  const { isOn, labels, many, include } = matching
  // Ignoring no label is the default.
  if (!isOn && labels.length === 0 && many === undefined) return text
  const separator = isAlone ? ', ' : ','
  // Without a list, the parentheses of the operand would be one.
  const needsList = include.length > 0 || (many !== undefined && rhs.trimStart().startsWith('('))
  const included = needsList ? ` (${include.join(separator)})` : ''
  const group = many === undefined ? '' : `group_${many}${included}`
  return `${text} ${isOn ? 'on' : 'ignoring'} (${labels.join(separator)}) ${group}`
}

function print(expr: ast.LogqlExpr): string {
  switch (expr.kind) {
    case 'log-query':
      return printLogs(expr)
    case 'number':
      return printNumberShort(expr.value, 6)
    case 'vector':
      return `vector(${expr.value.toFixed(6)})`
    case 'label-replace': {
      const texts = [expr.target, expr.replacement, expr.source, expr.regexp].map(quoteText)
      return `label_replace(${[print(expr.expr), ...texts].join(',')})`
    }
    case 'range-aggregation':
      return printRangeAggregation(expr)
    case 'vector-aggregation': {
      const parameter = expr.param === undefined ? '' : `${expr.param},`
      return `${expr.op}${printGrouping(expr.grouping, ',')}(${parameter}${print(expr.expr)})`
    }
    case 'binary':
      return `(${print(expr.lhs)} ${printOperator(expr, false, print(expr.rhs))} ${print(expr.rhs)})`
    default:
      return assertNever(expr)
  }
}

/** An operation broken into lines has no parentheses of its own, so that it gets some where it would read as another. */
function formatOperand({ op, lhs, rhs }: ast.Binary, side: 'lhs' | 'rhs', level: number): string {
  const expr = side === 'lhs' ? lhs : rhs
  if (expr.kind !== 'binary' || !isLong(print(expr))) return format(expr, level)
  const difference = precedenceOf(expr.op) - precedenceOf(op)
  const isOnItsSide = (side === 'rhs') === isRightAssociative(op)
  if (difference > 0 || (difference === 0 && isOnItsSide)) return format(expr, level)
  return `${indent(level)}(\n${format(expr, level + 1)}\n${indent(level)})`
}

function format(expr: ast.LogqlExpr, level: number): string {
  const line = print(expr)
  if (!isLong(line)) return indent(level) + line
  switch (expr.kind) {
    case 'log-query':
      return formatLogs(expr, level)
    case 'number':
    case 'vector':
      return indent(level) + line
    case 'label-replace':
      return formatLabelReplace(expr, level)
    case 'range-aggregation':
      return formatRangeAggregation(expr, level)
    case 'vector-aggregation':
      return formatVectorAggregation(expr, level)
    case 'binary': {
      const rhs = formatOperand(expr, 'rhs', level + 1)
      return [formatOperand(expr, 'lhs', level + 1), indent(level) + printOperator(expr, true, rhs), rhs].join('\n')
    }
    default:
      return assertNever(expr)
  }
}

/**
 * Returns the canonical text of a query, broken into lines where one would be longer than 100 bytes. It reads back as a
 * query with the same meaning, except for a number that is not finite.
 */
export function formatLogql(expr: ast.LogqlExpr): string {
  return format(expr, 0)
}
