import { assertNever, MS_NS } from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { isRightAssociative, precedenceOf } from '../promql/parser/precedence.ts'
import { printNumber, printNumberShort, quoteText } from '../promql/text/go-text.ts'
import type * as ast from './ast.ts'
import { isMadeOfLiterals } from './text/literal-regexp.ts'
import { printBytes, printDurationNs, printRange } from './text/units.ts'

/** Maximum line length in UTF-8 bytes. */
const MAX_LINE_BYTES = 100

function indent(level: number): string {
  return '  '.repeat(level)
}

function isLong(text: string): boolean {
  return text.length > MAX_LINE_BYTES || utf8Length(text) > MAX_LINE_BYTES
}

function printMatcher({ label, op, value }: LabelMatcher): string {
  return `${label}${op}${quoteText(value)}`
}

function printLineFilter({ op, alternatives }: ast.LineFilter): string {
  const texts = alternatives.map(({ kind, value }) => (kind === 'ip' ? `ip(${quoteText(value)})` : quoteText(value)))
  // The conjunction of two negated filters has the same meaning as one negated filter with two alternatives.
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

/** Prints a condition. Regular expressions are in back quotes, unless they consist of literals. */
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

/** Returns a stage on one line, including its `|`. */
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

/** Returns the lines of the stages. Successive line filters are on one line. */
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

/** Collects the lines of a layout. */
class Lines {
  readonly #lines: string[] = []

  add(level: number, text: string): void {
    this.#lines.push(indent(level) + text)
  }

  /** Appends text to the last line. */
  end(text: string): void {
    this.#lines.push(`${this.#lines.pop() ?? ''}${text}`)
  }

  /**
   * Adds a line, and then the lines that `addRest` adds. `textOf` receives the first of these and returns the text of
   * the line.
   */
  addBefore(level: number, textOf: (next: string) => string, addRest: () => void): void {
    const at = this.#lines.push('') - 1
    addRest()
    this.#lines[at] = indent(level) + textOf(this.#lines[at + 1] ?? '')
  }

  toString(): string {
    return this.#lines.join('\n')
  }
}

function formatLogs(logs: ast.LogQuery, level: number, out: Lines): void {
  const line = printLogs(logs)
  if (!isLong(line)) {
    out.add(level, line)
    return
  }
  out.add(level, printSelector(logs.matchers))
  for (const stage of linesOfStages(logs.stages)) out.add(level + 1, stage)
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

function formatRangeAggregation(node: ast.RangeAggregation, level: number, out: Lines): void {
  const { fn, param, logs, unwrap, rangeMs, offsetNs, grouping } = node
  out.add(level, `${fn}(`)
  if (param !== undefined) out.add(level + 1, `${printNumber(param)},`)
  formatLogs(logs, level + 1, out)
  if (unwrap !== undefined) for (const line of unwrapLines(unwrap)) out.add(level + 2, line)
  out.end(` [${printRange(rangeMs)}]${printOffset(offsetNs)}`)
  out.add(level, `)${printGrouping(grouping, ', ')}`)
}

/** Prints ` offset …`; empty for 0. Whole milliseconds are printed like a range, without zero units. */
function printOffset(ns: bigint): string {
  if (ns === 0n) return ''
  return ` offset ${ns % MS_NS === 0n ? printRange(Number(ns / MS_NS)) : printDurationNs(Number(ns))}`
}

function formatVectorAggregation(node: ast.VectorAggregation, level: number, out: Lines): void {
  const { op, param, grouping, expr } = node
  out.add(level, `${op}${printGrouping(grouping, ', ')}(`)
  if (param !== undefined) out.add(level + 1, `${param},`)
  format(expr, level + 1, out)
  out.add(level, ')')
}

function formatLabelReplace(node: ast.LabelReplace, level: number, out: Lines): void {
  out.add(level, 'label_replace(')
  format(node.expr, level + 1, out)
  for (const text of [node.target, node.replacement, node.source, node.regexp]) {
    out.end(',')
    out.add(level + 1, quoteText(text))
  }
  out.add(level, ')')
}

/**
 * Returns the operator with its modifiers, either within a line or alone on a line. `rhs` is the text of the right
 * operand.
 */
function printOperator({ op, isBool, matching }: ast.Binary, isAlone: boolean, rhs: string): string {
  const text = isBool ? `${op} bool` : op
  if (matching === undefined) return text
  const { isOn, labels, many, include } = matching
  // `ignoring ()` is the default.
  if (!isOn && labels.length === 0 && many === undefined) return text
  const separator = isAlone ? ', ' : ','
  // Without an explicit list, the parser would read the parentheses of the operand as the list.
  const needsList = include.length > 0 || (many !== undefined && rhs.trimStart().startsWith('('))
  const included = needsList ? ` (${include.join(separator)})` : ''
  const group = many === undefined ? '' : `group_${many}${included}`
  return `${text} ${isOn ? 'on' : 'ignoring'} (${labels.join(separator)}) ${group}`
}

/** Cache of each node's single-line form, which the layout needs again at every enclosing level. */
const lines = new WeakMap<ast.LogqlExpr, string>()

/** Returns an expression on one line. */
function print(expr: ast.LogqlExpr): string {
  const known = lines.get(expr)
  if (known !== undefined) return known
  const line = lineOf(expr)
  lines.set(expr, line)
  return line
}

function lineOf(expr: ast.LogqlExpr): string {
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
    case 'binary': {
      const rhs = print(expr.rhs)
      return `(${print(expr.lhs)} ${printOperator(expr, false, rhs)} ${rhs})`
    }
    default:
      return assertNever(expr)
  }
}

/**
 * Formats an operand of an operation. Adds parentheses around a multi-line operation where it would otherwise be parsed
 * differently.
 */
function formatOperand({ op, lhs, rhs }: ast.Binary, side: 'lhs' | 'rhs', level: number, out: Lines): void {
  const expr = side === 'lhs' ? lhs : rhs
  const difference = expr.kind === 'binary' ? precedenceOf(expr.op) - precedenceOf(op) : 1
  const isOnItsSide = (side === 'rhs') === isRightAssociative(op)
  if (difference > 0 || (difference === 0 && isOnItsSide) || !isLong(print(expr))) {
    format(expr, level, out)
    return
  }
  out.add(level, '(')
  format(expr, level + 1, out)
  out.add(level, ')')
}

function format(expr: ast.LogqlExpr, level: number, out: Lines): void {
  const line = print(expr)
  if (!isLong(line)) {
    out.add(level, line)
    return
  }
  switch (expr.kind) {
    case 'log-query':
      formatLogs(expr, level, out)
      return
    case 'number':
    case 'vector':
      out.add(level, line)
      return
    case 'label-replace':
      formatLabelReplace(expr, level, out)
      return
    case 'range-aggregation':
      formatRangeAggregation(expr, level, out)
      return
    case 'vector-aggregation':
      formatVectorAggregation(expr, level, out)
      return
    case 'binary':
      formatOperand(expr, 'lhs', level + 1, out)
      out.addBefore(
        level,
        (rhs) => printOperator(expr, true, rhs),
        () => formatOperand(expr, 'rhs', level + 1, out),
      )
      return
    default:
      assertNever(expr)
  }
}

/**
 * Returns the canonical text of a query, with line breaks where a line would exceed 100 bytes. The text parses to a
 * query with the same meaning, unless the query contains NaN or an infinity.
 */
export function formatLogql(expr: ast.LogqlExpr): string {
  const out = new Lines()
  format(expr, 0, out)
  return out.toString()
}
