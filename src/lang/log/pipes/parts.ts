import type { JsonValue, Span } from '../../../base/index.ts'
import { field as schemaField, type DataType } from '../../../data/index.ts'
import type { Apply, FieldPattern, LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

/** Number of rows, patterns or values that a pipe returns by default. */
export const DEFAULT_COUNT = 10

/**
 * Parsers of clauses that several pipes share. A grammar rule may use each at most once, because its occurrence number
 * is fixed.
 */

const As = t.keyword('as')
const At = t.keyword('at')
const From = t.keyword('from')
const If = t.keyword('if')
const Keep = t.keyword('keep_original_fields')
const Skip = t.keyword('skip_empty_results')
const Prefix = t.keyword('result_prefix')
const Limit = t.keyword('limit')

/** Parses an optional `if (…)` and returns its filter. The `logsql` dialect accepts the clause only if `isShared`. */
export function readCondition($: Syntax, isShared: boolean): Filter | undefined {
  return $.option(40, { GATE: () => isShared || $.isNative, DEF: () => $.subrule($.rules.condition) })
}

/**
 * Parses the text argument of a pipe; reports an error if it is missing. An unquoted `as` or `from` is never the
 * argument, because it begins the next clause.
 */
export function readPipeText($: Syntax, pipe: string, what: string, example: string): TextValue {
  $.ACTION(() => {
    if (!$.isNextOneOf([As, From]) || $.touches(2)) return
    const next = $.next()
    $.fail(logDiagnostic('missing-text', { pipe, what, found: next.image.toLowerCase(), example }, $.tokenSpan(next)))
  })
  return $.subrule($.rules.text)
}

/** Parses an optional clause `from field`. */
export function readFrom($: Syntax): FieldRef | undefined {
  return $.option(41, () => {
    $.consume(From)
    return $.subrule($.rules.field)
  })
}

/** Parses an optional clause `[from] field`. The words in `following` begin the next clause and are not the field. */
export function readBareFrom($: Syntax, following: readonly (typeof As)[]): FieldRef | undefined {
  return $.option(42, {
    GATE: () => $.isNext(From) || !$.isNextOneOf([As, ...following]),
    DEF: () => {
      $.option(43, () => $.consume(From))
      return $.subrule($.rules.field)
    },
  })
}

/** Parses an optional clause `[as] field`. The words in `following` begin the next clause and are not the field. */
export function readInto($: Syntax, following: readonly (typeof As)[] = []): FieldRef | undefined {
  return $.option(44, {
    GATE: () => $.isNext(As) || !$.isNextOneOf([If, ...following]),
    DEF: () => $.subrule($.rules.alias),
  })
}

/** Parses an optional clause `at field`. */
export function readAt($: Syntax): FieldRef | undefined {
  return $.option(45, () => {
    $.consume(At)
    return $.subrule($.rules.field)
  })
}

/** A pipe that reads one field and writes one field. */
export interface Conversion {
  readonly condition: Filter | undefined
  /** Field that is read. Default: the main text field. */
  readonly from: FieldRef | undefined
  /** Field that receives the result. Default: the field that is read. */
  readonly into: FieldRef | undefined
  readonly span: Span
}

/** Prints ` from field as name`, without default fields. */
export function printEnds({ from, into }: Conversion, printer: Printer): string {
  const source = from === undefined || printer.isTextField(from) ? '' : ` from ${printer.field(from)}`
  const isSame = into !== undefined && printer.field(into) === printer.field(from ?? into) && from !== undefined
  const isText = from === undefined && printer.isTextField(into)
  return source + (isSame || isText ? '' : printer.as(into))
}

/** Clauses that keep existing values: `keep_original_fields`, and `skip_empty_results` if the new value is empty. */
export interface Overwriting {
  readonly keepsOriginal: boolean
  readonly skipsEmpty: boolean
}

export function readOverwriting($: Syntax): Overwriting {
  const token = $.option(46, () => $.or(46, [{ ALT: () => $.consume(Keep) }, { ALT: () => $.consume(Skip) }]))
  return $.ACTION(() => ({ keepsOriginal: token?.tokenType === Keep, skipsEmpty: token?.tokenType === Skip }))
}

export const overwritingWords = [Keep, Skip]

export function printOverwriting({ keepsOriginal, skipsEmpty }: Overwriting): string {
  return (keepsOriginal ? ' keep_original_fields' : '') + (skipsEmpty ? ' skip_empty_results' : '')
}

/** Parses an optional clause `result_prefix text`; returns the prefix. */
export function readPrefix($: Syntax): string {
  const value = $.option(47, () => {
    $.consume(Prefix)
    return $.subrule($.rules.text)
  })
  return $.ACTION(() => value?.text ?? '')
}

/** Parses an optional clause `limit N`. */
export function readLimit($: Syntax): number | undefined {
  return $.option(48, () => {
    $.consume(Limit)
    return $.subrule($.rules.count)
  })
}

/** Parses the pipe's name, one of `names`, as the first token of its rule. */
export function readName($: Syntax, names: readonly (typeof As)[]): t.Token {
  return $.or(
    49,
    names.map((type) => ({ ALT: () => $.consume(type) })),
  )
}

/** Fields that a call of a row function reads and writes. A row function computes new fields from one row. */
export interface RowCall {
  readonly fn: string
  readonly params: JsonValue
  readonly condition: Filter | undefined
  readonly reads: readonly FieldPattern[]
  /** Patterns of further fields that the call may write. */
  readonly writes?: readonly FieldPattern[]
  /** Names of the written fields that become columns of the answer. */
  readonly outputs: readonly string[]
  readonly type?: DataType
  /** True if the call always replaces the previous values of its output fields. */
  readonly isReplacing?: boolean
  readonly isOneToOne?: boolean
  readonly span: Span
}

export const anyField: FieldPattern = { parts: ['', ''] }

export function applyRow(input: LogicalPlan, call: RowCall, context: LowerContext): Apply {
  const replaces = call.isReplacing === true && call.condition === undefined ? call.outputs : []
  return {
    kind: 'apply',
    input,
    fn: call.fn,
    params: call.params,
    condition: call.condition === undefined ? undefined : context.filter(call.condition),
    use: {
      reads: call.reads,
      writes: [...call.outputs.map((name) => ({ parts: [name] })), ...(call.writes ?? [])],
      replaces,
    },
    outputs: call.outputs.map((name) => schemaField(name, call.type ?? 'any')),
    isOneToOne: call.isOneToOne ?? true,
    origin: context.at(call.span),
  }
}

/**
 * Returns a plan that applies a row function, which reads one field and writes one field. The parameters contain both
 * names.
 */
export function applyConversion(
  input: LogicalPlan,
  pipe: Conversion,
  call: { readonly fn: string; readonly params: Readonly<Record<string, JsonValue>>; readonly type?: DataType },
  context: LowerContext,
): Apply {
  const from = context.name(pipe.from)
  const into = context.name(pipe.into ?? pipe.from)
  const { condition, span } = pipe
  const params = { from, into, ...call.params }
  return applyRow(
    input,
    { ...call, params, condition, reads: named(from), outputs: [into], isReplacing: true, span },
    context,
  )
}

/** Returns field patterns that match exactly these names. */
export function named(...names: readonly string[]): readonly FieldPattern[] {
  return names.map((name) => ({ parts: [name] }))
}

export function patternsJson(fields: readonly FieldRef[]): JsonValue {
  return fields.map(({ parts }) => parts)
}
