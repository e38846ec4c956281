import { present, type Span } from '../../../base/index.ts'
import { fieldsOfPattern, formatOptions, isFormatOption, readTextPattern } from '../../../data/index.ts'
import { column, disjunction, not, type Expr, type LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Rule, Syntax } from '../syntax.ts'
import type { Printer } from '../print/printer.ts'
import * as t from '../tokens.ts'
import {
  applyRow,
  named,
  overwritingWords,
  printOverwriting,
  readCondition,
  readOverwriting,
  readPipeText,
} from './parts.ts'
import type { Overwriting } from './parts.ts'

export interface FormatCase {
  /** Condition of the case; `undefined` for `default`. */
  readonly filter: Filter | undefined
  readonly pattern: TextValue
}

/** Format text of the pipe, or several format texts with filters; the first case whose filter matches is used. */
export interface FormatResult {
  readonly cases: readonly FormatCase[]
  readonly isSwitch: boolean
  /** Field that receives the result. Default: the main text field. */
  readonly into: FieldRef | undefined
}

export interface FormatPipe extends Overwriting {
  readonly kind: 'format'
  readonly condition: Filter | undefined
  readonly results: readonly FormatResult[]
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    format: FormatPipe
  }
}

const Format = t.keyword('format')
const Switch = t.keyword('switch')
const Case = t.keyword('case')
const Default = t.keyword('default')
const As = t.keyword('as')
const If = t.keyword('if')

function checkPattern($: Syntax, { text, span }: TextValue): void {
  $.checkPattern(text, span)
  const steps = readTextPattern(text)
  if (typeof steps === 'string') return $.fail(logDiagnostic('bad-pattern', { reason: steps }, span))
  const several = steps.find(({ field }) => field?.endsWith('*') === true)?.field
  if (several !== undefined) $.fail(logDiagnostic('wildcard-in-format', { field: several }, span))
  for (const { option } of steps) {
    if (option !== '' && !isFormatOption(option)) {
      const data = { name: 'format', text: option, what: `one of ${formatOptions.join(', ')} in front of the colon` }
      $.report(logDiagnostic('wrong-argument', data, span))
    }
  }
}

function resultRule($: Syntax): Rule<[], FormatResult> {
  const formatCase = $.RULE('formatCase', (): FormatCase => {
    const filter = $.or(0, [
      {
        ALT: (): Filter | undefined => {
          $.consume(Case)
          return $.subrule($.rules.parenFilter)
        },
      },
      {
        ALT: (): Filter | undefined => {
          $.consume(Default)
          return undefined
        },
      },
    ])
    const pattern = $.subrule($.rules.text)
    $.ACTION(() => checkPattern($, pattern))
    return { filter, pattern }
  })

  const cases = $.RULE('formatCases', (): readonly FormatCase[] => {
    $.consume(Switch)
    $.consume(t.LParen)
    const given = [$.subrule(formatCase)]
    $.many(0, {
      GATE: () => !$.isNext(t.RParen, 2),
      DEF: () => {
        $.consume(t.Comma)
        given.push($.subrule(formatCase))
      },
    })
    $.option(0, () => $.consume(t.Comma))
    $.consume(t.RParen)
    $.ACTION(() => {
      const at = given.findIndex(({ filter }) => filter === undefined)
      const next = given[at + 1]
      if (at !== -1 && next !== undefined) {
        $.fail(logDiagnostic('repeated-clause', { name: 'default' }, next.pattern.span))
      }
    })
    return given
  })

  return $.RULE('formatResult', (): FormatResult => {
    const body = $.or(0, [
      {
        GATE: () => $.isNative && $.isNext(Switch) && $.isNext(t.LParen, 2),
        ALT: () => ({ cases: $.subrule(cases), isSwitch: true }),
      },
      {
        ALT: () => {
          const pattern = readPipeText($, 'format', 'a text', '"<name>"')
          $.ACTION(() => checkPattern($, pattern))
          return { cases: [{ filter: undefined, pattern }], isSwitch: false }
        },
      },
    ])
    const into = $.option(0, {
      GATE: () => $.isNext(As) || !$.isNextOneOf([If, ...overwritingWords]),
      DEF: () => $.subrule($.rules.alias),
    })
    return { ...body, into }
  })
}

function printResult({ cases, isSwitch, into }: FormatResult, printer: Printer): string {
  const name = printer.isTextField(into) ? '' : printer.as(into)
  if (!isSwitch) return printer.text(cases[0]?.pattern.text ?? '') + name
  const parts = cases.map(({ filter, pattern }) => {
    const head = filter === undefined ? 'default' : `case (${printer.filter(filter)})`
    return `${head} ${printer.text(pattern.text)}`
  })
  return `switch(${parts.join(', ')})${name}`
}

function fieldsOf({ text }: TextValue): readonly string[] {
  const steps = readTextPattern(text)
  return typeof steps === 'string' ? [] : fieldsOfPattern(steps)
}

function applyFormat(
  input: LogicalPlan,
  pattern: TextValue,
  into: string,
  pipe: FormatPipe,
  context: LowerContext,
): LogicalPlan {
  const { condition, keepsOriginal, skipsEmpty, span } = pipe
  const reads = fieldsOf(pattern).map((name) => context.name({ parts: [name], span: pattern.span }))
  return applyRow(
    input,
    {
      fn: 'format',
      params: { pattern: pattern.text, into, keepsOriginal, skipsEmpty },
      condition,
      reads: named(...reads),
      outputs: [into],
      type: keepsOriginal || skipsEmpty ? 'any' : 'string',
      isReplacing: !keepsOriginal && !skipsEmpty,
      span,
    },
    context,
  )
}

/**
 * Lowers a format with several cases. Each case is computed into its own field, so that no filter reads the result of
 * an earlier case. The result is that of the first case whose filter matches.
 */
function applySwitch(input: LogicalPlan, result: FormatResult, pipe: FormatPipe, context: LowerContext): LogicalPlan {
  const origin = context.at(pipe.span)
  const into = context.name(result.into)
  const parts = result.cases.map((_, i) => `${into}#${i}`)
  const formatted = result.cases.reduce<LogicalPlan>(
    (plan, { pattern }, i) => applyFormat(plan, pattern, present(parts[i]), { ...pipe, condition: undefined }, context),
    input,
  )
  const kept = column(into, origin)
  const branches = result.cases.flatMap(({ filter }, i) =>
    filter === undefined ? [] : [{ when: context.filter(filter), value: column(present(parts[i]), origin) }],
  )
  const last = result.cases.findIndex(({ filter }) => filter === undefined)
  const otherwise = last === -1 ? kept : column(present(parts[last]), origin)
  const choice: Expr = { kind: 'case', branches, otherwise, origin }
  const outside =
    pipe.condition === undefined ? undefined : not(disjunction([context.filter(pipe.condition)], origin), origin)
  const expr: Expr =
    outside === undefined
      ? choice
      : { kind: 'case', branches: [{ when: outside, value: kept }], otherwise: choice, origin }
  return {
    kind: 'drop',
    input: { kind: 'extend', input: formatted, assignments: [{ name: into, expr, type: 'any' }], origin },
    fields: named(...parts),
    origin,
  }
}

export const format = definePipe({
  kind: 'format',
  names: ['format'],
  rule: ($) => {
    const result = resultRule($)
    return $.RULE('formatPipe', (): FormatPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Format)
      const condition = readCondition($, true)
      const results = [$.subrule(result)]
      $.many(0, {
        GATE: () => $.isNative,
        DEF: () => {
          $.consume(t.Comma)
          results.push($.subrule(result))
        },
      })
      const overwriting = readOverwriting($)
      return $.ACTION(() => ({ kind: 'format', condition, results, ...overwriting, span: $.spanFrom(start) }))
    })
  },
  print: (pipe, printer) => {
    const results = pipe.results.map((result) => printResult(result, printer)).join(', ')
    return `format${printer.condition(pipe.condition)} ${results}${printOverwriting(pipe)}`
  },
  lower: (pipe, input, context) =>
    pipe.results.reduce<LogicalPlan>(
      (plan, result) =>
        result.isSwitch
          ? applySwitch(plan, result, pipe, context)
          : applyFormat(plan, present(result.cases[0]).pattern, context.name(result.into), pipe, context),
      input,
    ),
  doc: {
    summary: 'Makes a text out of fields.',
    form: 'format [if (filter)] "text <field> <option:field>" [as name], … [keep_original_fields|skip_empty_results]',
    examples: [
      { query: '* | format "<uc:level>: <content>" as line', text: 'one line of two fields' },
      {
        query: '* | format switch(case (status:>=500) "server", case (status:>=400) "client", default "fine") as class',
        text: 'one of several texts',
        dialect: 'native',
      },
    ],
  },
})
