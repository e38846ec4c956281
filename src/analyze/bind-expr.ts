import { nearestNames, type Diagnostic, type Origin, type Severity } from '../base/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import {
  conjunction,
  column,
  disjunction,
  literal,
  mapExprChildren,
  matchesField,
  not,
  plainName,
  schemaOf,
  test,
  type AnyField,
  type Call,
  type Column,
  type Expr,
  type FieldFilter,
  type InSubquery,
  type StreamFilter,
  type Test,
} from '../plan/index.ts'
import { analyzeDiagnostic } from './diagnostics.ts'
import { matchMode, type MatchMode } from './match-modes.ts'
import { alternativeField, joinSameField } from './same-field.ts'
import { canHave, resolveName, type Scope } from './scope.ts'
import { streamLabelRead, streamNameRead } from './stream-name.ts'

/** Context of binding, in addition to the rows in scope. */
export interface BindTools {
  readonly functions: FunctionDefinitions
  /** Severity of reading a name that is not among the columns of rows with a fixed set of columns. */
  readonly unknownColumns: Severity
  readonly report: (diagnostic: Diagnostic) => void
  /** Returns the fault of a regular expression; `undefined` if it is valid. */
  readonly regexpFault: (pattern: string) => string | undefined
  /** Returns the parameters of the diagnostic for an unknown function of a family, with the nearest names. */
  readonly nearest: (name: string, family: keyof FunctionDefinitions) => { name: string; near: readonly string[] }
}

/** Returns the field that a name in the query means; reports the name if these rows cannot have it. */
export function resolveRead(tools: BindTools, scope: Scope, name: string, origin: Origin, isSource = true): string {
  const field = resolveName(scope, name)
  if (!canHave(scope.schema, field)) {
    const near = nearestNames(
      name,
      scope.schema.fields.map((f) => f.name),
    )
    tools.report(analyzeDiagnostic('unknown-column', { name, near, severity: tools.unknownColumns, isSource }, origin))
  }
  return field
}

function negatedWhen(isNegated: boolean, expr: Expr): Expr {
  return isNegated ? not(expr, expr.origin) : expr
}

function checkRegexp(tools: BindTools, expr: Test | AnyField): void {
  if (expr.test.kind !== 'regexp') return
  const reason = tools.regexpFault(expr.test.pattern)
  if (reason !== undefined) {
    tools.report(analyzeDiagnostic('bad-regexp', { pattern: expr.test.pattern, reason }, expr.origin))
  }
}

function testOf(tools: BindTools, scope: Scope, field: string, mode: MatchMode, origin: Origin): Expr {
  const leaf = test(streamNameRead(scope, field, origin) ?? column(field, origin), mode.test, origin)
  checkRegexp(tools, leaf)
  return negatedWhen(mode.isNegated, leaf)
}

/** Returns the names that identify a record; filters on fields by pattern skip them. */
function recordNames(scope: Scope): readonly string[] {
  return ['_time', '_stream', '_stream_id'].map((name) => resolveName(scope, name))
}

/**
 * Binds a filter on all fields, or on all fields that match a pattern. A row passes if one of these fields does. The
 * text field, if it is among them, is tested by the rules for text.
 */
function anyFieldOf(tools: BindTools, scope: Scope, filter: FieldFilter): Expr {
  const { origin } = filter
  const fields = filter.field ?? { parts: ['', ''] }
  // A filter without a field matches every field by the rules for text.
  const isBare = filter.field === undefined
  const other = matchMode(filter.request, { isTextField: isBare, hasField: !isBare })
  // A negated test here means "not empty", so it becomes "begins with `''`", which matches every value.
  const leaf: AnyField = {
    kind: 'any-field',
    fields,
    except: recordNames(scope),
    test: other.isNegated ? { kind: 'starts-with', text: '', isFolded: false } : other.test,
    origin,
  }
  checkRegexp(tools, leaf)
  const { textField } = scope
  if (textField === undefined || !matchesField(fields, textField) || !canHave(scope.schema, textField)) return leaf
  const text = matchMode(filter.request, { isTextField: true, hasField: true })
  if (text.isNegated || text.test.kind === other.test.kind) return leaf
  return disjunction([testOf(tools, scope, textField, text, origin), leaf], origin)
}

function bindFieldFilter(tools: BindTools, scope: Scope, filter: FieldFilter): Expr {
  const { origin, request } = filter
  if (filter.field === undefined) {
    if (request.kind === 'pattern' && request.parts.length === 2 && request.parts.every((part) => part === '')) {
      return literal(true, origin)
    }
    const { textField } = scope
    if (textField === undefined) return anyFieldOf(tools, scope, filter)
    if (!canHave(scope.schema, textField)) {
      const data = { field: textField, severity: tools.unknownColumns }
      tools.report(analyzeDiagnostic('no-text-field', data, origin))
    }
    return testOf(tools, scope, textField, matchMode(request, { isTextField: true, hasField: false }), origin)
  }
  const name = plainName(filter.field)
  if (name === undefined) return anyFieldOf(tools, scope, filter)
  const field = resolveRead(tools, scope, name, origin, false)
  return testOf(
    tools,
    scope,
    field,
    matchMode(request, { isTextField: field === scope.textField, hasField: true }),
    origin,
  )
}

function bindStreamFilter(tools: BindTools, scope: Scope, filter: StreamFilter): Expr {
  const { origin } = filter
  const alternatives = filter.alternatives.map((matchers) =>
    conjunction(
      matchers.map((matcher) => {
        const arg = streamLabelRead(scope, matcher.label, origin)
        if (arg === undefined) {
          const fields = scope.streamLabels?.map(({ parts }) => parts.join('*')) ?? []
          const data = { name: matcher.label, fields, severity: tools.unknownColumns }
          tools.report(analyzeDiagnostic('unknown-stream-field', data, origin))
        }
        const leaf = test(arg ?? literal(null, origin), matcher.test, origin)
        checkRegexp(tools, leaf)
        return negatedWhen(matcher.isNegated, leaf)
      }),
      origin,
    ),
  )
  return disjunction(alternatives, origin)
}

function bindCall(tools: BindTools, call: Call): Call {
  const definition = tools.functions.scalar.get(call.name)
  if (definition === undefined) {
    tools.report(analyzeDiagnostic('unknown-scalar', tools.nearest(call.name, 'scalar'), call.origin))
    return call
  }
  const { params, minArgs, maxArgs } = definition.signature
  const min = params.length + minArgs
  const max = params.length + maxArgs
  const count = call.args.length
  if (count < min || count > max) {
    tools.report(analyzeDiagnostic('wrong-arguments', { name: definition.name, min, max, count }, call.origin))
  }
  return call.name === definition.name ? call : { ...call, name: definition.name }
}

function bindSubquery(tools: BindTools, expr: InSubquery): InSubquery {
  const schema = schemaOf(expr.plan)
  if (schema.isOpen || schema.fields.length !== 1) {
    const data = { count: schema.fields.length, isOpen: schema.isOpen }
    tools.report(analyzeDiagnostic('subquery-columns', data, expr.origin))
  }
  return expr
}

/** Returns the text field of a table, for filters that name no field; reports a table without one. */
export function textFieldOf(tools: BindTools, scope: Scope, origin: Origin): string {
  if (scope.textField !== undefined) return scope.textField
  tools.report(analyzeDiagnostic('name-text-field', { severity: tools.unknownColumns }, origin))
  return ''
}

/** Binds a column. The empty name stands for the text field. */
function bindColumn(tools: BindTools, scope: Scope, expr: Column): Column | Call {
  if (expr.name === '') return { ...expr, name: textFieldOf(tools, scope, expr.origin) }
  const stream = streamNameRead(scope, expr.name, expr.origin)
  if (stream !== undefined) return stream
  const name = resolveRead(tools, scope, expr.name, expr.origin)
  return name === expr.name ? expr : { ...expr, name }
}

/** Binds an expression over rows of `scope`; plans of subqueries are already bound. */
export function bindExpr(tools: BindTools, scope: Scope, expr: Expr): Expr {
  const recurse = (child: Expr): Expr => bindExpr(tools, scope, child)
  switch (expr.kind) {
    case 'column':
      return bindColumn(tools, scope, expr)
    case 'field-filter':
      return bindFieldFilter(tools, scope, expr)
    case 'stream-filter':
      return bindStreamFilter(tools, scope, expr)
    case 'implicit-and': {
      if (expr.dialect === 'logsql') return conjunction(expr.args.map(recurse), expr.origin)
      const operands = expr.args.map((arg) => {
        const written = alternativeField(arg)
        return { expr: recurse(arg), field: written === undefined ? undefined : resolveName(scope, written) }
      })
      return joinSameField(operands, expr.origin)
    }
    case 'test':
      checkRegexp(tools, expr)
      return mapExprChildren(expr, recurse)
    case 'any-field':
      checkRegexp(tools, expr)
      return { ...expr, except: recordNames(scope) }
    case 'columns': {
      const name = plainName(expr.fields)
      return name === undefined ? expr : bindColumn(tools, scope, column(name, expr.origin))
    }
    case 'call':
      return bindCall(tools, mapExprChildren(expr, recurse) as Call)
    case 'in-subquery':
      return bindSubquery(tools, mapExprChildren(expr, recurse) as InSubquery)
    default:
      return mapExprChildren(expr, recurse)
  }
}
