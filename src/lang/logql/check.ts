import { regexpFault, type Span } from '../../base/index.ts'
import { readAddressSet } from '../../functions/logql/index.ts'
import type * as ast from './ast.ts'
import { checkLinePattern, passesEmpty } from './check-text.ts'
import { logqlDiagnostic } from './diagnostics.ts'
import type { Report } from '../go-scanner/index.ts'
import { formatStage } from './format.ts'
import { parseTemplate } from './templates.ts'
import { jsonPathFault, logfmtKeyFault } from './text/paths.ts'

/**
 * Returns the log queries in an expression, from left to right. Conditions after `unwrap` count as stages of their
 * query.
 */
function logQueries(expr: ast.LogqlExpr): readonly ast.LogQuery[] {
  const found: ast.LogQuery[] = []
  const rest: ast.LogqlExpr[] = [expr]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    switch (next.kind) {
      case 'log-query':
        found.push(next)
        break
      case 'range-aggregation':
        found.push({ ...next.logs, stages: [...next.logs.stages, ...(next.unwrap?.filters ?? [])] })
        break
      case 'vector-aggregation':
      case 'label-replace':
        rest.push(next.expr)
        break
      case 'binary':
        rest.push(next.rhs, next.lhs)
        break
      case 'number':
      case 'vector':
    }
  }
  return found
}

/** Checks that every selector has a matcher that requires its label. */
export function checkSelectors(expr: ast.LogqlExpr, report: Report): void {
  for (const { matchers, span } of logQueries(expr)) {
    if (matchers.every(passesEmpty)) report(logqlDiagnostic('no-stream', undefined, span))
  }
}

/**
 * Checks what matters only for running a query, not for formatting: patterns and templates in stages, and aggregations
 * of a number.
 */
export function checkStages(expr: ast.LogqlExpr, report: Report): void {
  for (const { stages } of logQueries(expr)) checkInOrder(stages, report)
  checkArguments(expr, report)
}

/**
 * Checks stages in Loki's order. Loki moves line filters before other stages, but not before a stage that changes the
 * line. It combines the moved filters into one, which it compiles from last to first.
 */
function checkInOrder(stages: readonly ast.Stage[], report: Report): void {
  let filters: ast.LineFilter[] = []
  let others: Exclude<ast.Stage, ast.LineFilter>[] = []
  const checkHeld = (): void => {
    const text = filters.map(formatStage).join(' ')
    for (const filter of filters.toReversed()) checkLineFilter(filter, text, report)
    for (const stage of others) checkStage(stage, report)
    filters = []
    others = []
  }
  for (const stage of stages) {
    if (stage.kind === 'line-filter') filters.push(stage)
    else others.push(stage)
    if (stage.kind === 'line-format' || stage.kind === 'unpack') checkHeld()
  }
  checkHeld()
}

function checkArguments(expr: ast.LogqlExpr, report: Report): void {
  const rest: ast.LogqlExpr[] = [expr]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.kind === 'binary') rest.push(next.rhs, next.lhs)
    if (next.kind !== 'vector-aggregation' && next.kind !== 'label-replace') continue
    rest.push(next.expr)
    if (next.expr.kind !== 'number') continue
    const name = next.kind === 'label-replace' ? 'label_replace' : next.op
    report(logqlDiagnostic('number-argument', { name }, next.expr.span))
  }
}

function checkStage(node: Exclude<ast.Stage, ast.LineFilter>, report: Report): void {
  const stage = formatStage(node)
  switch (node.kind) {
    case 'json':
    case 'logfmt':
      for (const { path, span: where } of node.extractions) {
        const reason = node.kind === 'json' ? jsonPathFault(path) : logfmtKeyFault(path)
        if (reason !== undefined) report(logqlDiagnostic('bad-path', { stage, path, reason }, where))
      }
      return
    case 'label-filter':
      checkCondition(node.condition, stage, report)
      return
    case 'label-format':
      checkLabelFormat(node, stage, report)
      return
    case 'line-format':
      checkTemplate(node.template, node.span, stage, undefined, report)
      return
    case 'pattern':
    case 'regexp':
    case 'unpack':
    case 'decolorize':
    case 'drop':
    case 'keep':
  }
}

function checkLineFilter({ op, alternatives, span }: ast.LineFilter, stage: string, report: Report): void {
  for (const { kind, value } of alternatives) {
    if (kind === 'ip') {
      if (op !== '|=' && op !== '!=') report(logqlDiagnostic('ip-operator', { stage }, span))
      else if (readAddressSet(value) === undefined) report(logqlDiagnostic('bad-ip', { stage, value }, span))
    } else if (op === '|~' || op === '!~') {
      const reason = regexpFault(value)
      if (reason !== undefined) report(logqlDiagnostic('bad-regexp', { reason, stage }, span))
    } else if (op === '|>' || op === '!>') checkLinePattern(value, stage, span, report)
  }
}

function checkCondition(condition: ast.LabelCondition, stage: string, report: Report): void {
  const rest = [condition]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.kind === 'and' || next.kind === 'or') rest.push(next.rhs, next.lhs)
    else if (next.kind === 'ip' && readAddressSet(next.value) === undefined) {
      report(logqlDiagnostic('bad-ip', { stage, value: next.value }, next.span))
    }
  }
}

/** Label that only the errors of stages set. */
const ERROR_LABEL = '__error__'

function checkLabelFormat({ parts }: ast.LabelFormat, stage: string, report: Report): void {
  const set = new Set<string>()
  for (const { label, span } of parts) {
    if (label === ERROR_LABEL) report(logqlDiagnostic('label-format-error', { stage, label }, span))
    else if (set.has(label)) report(logqlDiagnostic('label-format-twice', { stage, label }, span))
    set.add(label)
  }
  for (const { label, from, span } of parts) {
    if (from.kind === 'template') checkTemplate(from.value, span, stage, label, report)
  }
}

/** Checks the template of `line_format`, or of a label in `label_format`. */
function checkTemplate(text: string, where: Span, stage: string, label: string | undefined, report: Report): void {
  const result = parseTemplate(text, label === undefined ? 'line' : 'label')
  if ('error' in result) report(logqlDiagnostic('bad-template', { stage, reason: result.error, label }, where))
}
