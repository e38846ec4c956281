import type { JsonValue, Span } from '../../../base/index.ts'
import { field as schemaField, type DataType } from '../../../data/index.ts'
import type { Apply, FieldPattern, LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

/** Default number of rows, patterns or values of a pipe. */
export const DEFAULT_COUNT = 10

/** Shared clauses of pipes. Each may occur once in a rule: its index is fixed. */

const As = t.keyword('as')
const At = t.keyword('at')
const From = t.keyword('from')
const If = t.keyword('if')
const Keep = t.keyword('keep_original_fields')
const Skip = t.keyword('skip_empty_results')
const Prefix = t.keyword('result_prefix')
const Limit = t.keyword('limit')

/** `if (…)`; in `logsql` only for pipes that have always had it. */
export function readCondition($: Syntax, isShared: boolean): Filter | undefined {
  return $.option(40, { GATE: () => isShared || $.isNative, DEF: () => $.subrule($.rules.condition) })
}

/** The text argument of a pipe. Unquoted `as` and `from` begin the next clause, so the text is missing then. */
export function readPipeText($: Syntax, pipe: string, what: string, example: string): TextValue {
  $.ACTION(() => {
    if (!$.isNextOneOf([As, From]) || $.touches(2)) return
    const next = $.next()
    $.fail(logDiagnostic('missing-text', { pipe, what, found: next.image.toLowerCase(), example }, $.tokenSpan(next)))
  })
  return $.subrule($.rules.text)
}

/** `from field` */
export function readFrom($: Syntax): FieldRef | undefined {
  return $.option(41, () => {
    $.consume(From)
    return $.subrule($.rules.field)
  })
}

/** `[from] field`, except words of following clauses. */
export function readBareFrom($: Syntax, following: readonly (typeof As)[]): FieldRef | undefined {
  return $.option(42, {
    GATE: () => $.isNext(From) || !$.isNextOneOf([As, ...following]),
    DEF: () => {
      $.option(43, () => $.consume(From))
      return $.subrule($.rules.field)
    },
  })
}

/** `[as] field`, except words of following clauses. */
export function readInto($: Syntax, following: readonly (typeof As)[] = []): FieldRef | undefined {
  return $.option(44, {
    GATE: () => $.isNext(As) || !$.isNextOneOf([If, ...following]),
    DEF: () => $.subrule($.rules.alias),
  })
}

/** `at field` */
export function readAt($: Syntax): FieldRef | undefined {
  return $.option(45, () => {
    $.consume(At)
    return $.subrule($.rules.field)
  })
}

/** A pipe that reads one field and writes one. */
export interface Conversion {
  readonly condition: Filter | undefined
  /** Default: the text field. */
  readonly from: FieldRef | undefined
  /** Default: the field read. */
  readonly into: FieldRef | undefined
  readonly span: Span
}

/** `[from field] [as name]`, without defaults. */
export function printEnds({ from, into }: Conversion, printer: Printer): string {
  const source = from === undefined || printer.isTextField(from) ? '' : ` from ${printer.field(from)}`
  const isSame = into !== undefined && printer.field(into) === printer.field(from ?? into) && from !== undefined
  const isText = from === undefined && printer.isTextField(into)
  return source + (isSame || isText ? '' : printer.as(into))
}

/** `keep_original_fields` or `skip_empty_results`: handling of existing fields. */
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

/** `result_prefix text` */
export function readPrefix($: Syntax): string {
  const value = $.option(47, () => {
    $.consume(Prefix)
    return $.subrule($.rules.text)
  })
  return $.ACTION(() => value?.text ?? '')
}

/** `limit N` */
export function readLimit($: Syntax): number | undefined {
  return $.option(48, () => {
    $.consume(Limit)
    return $.subrule($.rules.count)
  })
}

/** A name of a pipe, as the first token of its rule. */
export function readName($: Syntax, names: readonly (typeof As)[]): t.Token {
  return $.or(
    49,
    names.map((type) => ({ ALT: () => $.consume(type) })),
  )
}

/** Properties of a row function call beside name and parameters. */
export interface RowCall {
  readonly fn: string
  readonly params: JsonValue
  readonly condition: Filter | undefined
  readonly reads: readonly FieldPattern[]
  /** Fields it may write, by pattern. */
  readonly writes?: readonly FieldPattern[]
  /** Fields it writes by name; they become columns of the answer. */
  readonly outputs: readonly string[]
  readonly type?: DataType
  /** True if the old values of the outputs are always replaced. */
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

/** Applies a row function that reads one field and replaces one; its parameters name both. */
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

/** Plain names as patterns. */
export function named(...names: readonly string[]): readonly FieldPattern[] {
  return names.map((name) => ({ parts: [name] }))
}

export function patternsJson(fields: readonly FieldRef[]): JsonValue {
  return fields.map(({ parts }) => parts)
}
