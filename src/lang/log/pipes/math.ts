import type { Span } from '../../../base/index.ts'
import { toRangeNumber } from '../../../data/index.ts'
import { call, column, literal, type Expr } from '../../../plan/index.ts'
import type { FieldRef, Filter } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import { mathOps, printMath, type MathExpr } from '../math/expression.ts'
import { refuseText, registerMath } from '../math/rules.ts'
import type { Printer } from '../print/printer.ts'
import * as t from '../tokens.ts'
import { readCondition, readName } from './parts.ts'

export interface MathResult {
  readonly expr: MathExpr
  /** Name of the result. Default: the text of the expression. */
  readonly name: FieldRef | undefined
}

/** Pipe that computes arithmetic on fields. A later result may read an earlier result. */
export interface MathPipe {
  readonly kind: 'math'
  readonly condition: Filter | undefined
  readonly results: readonly MathResult[]
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    math: MathPipe
  }
}

const names = ['math', 'eval']
const types = names.map(t.keyword)
const As = t.keyword('as')
const KeepExisting = t.keyword('keep_existing')

function nameOf({ expr, name }: MathResult, printer: Printer): string {
  return name === undefined ? printMath(expr, printer.text) : (name.parts[0] ?? '')
}

/** Lowers the expression of a result. Results are always numbers, so a lone field is converted to a number. */
function lowerResult(expr: MathExpr, context: LowerContext): Expr {
  const lowered = lowerMath(expr, context)
  return expr.kind === 'field' ? call('number', [lowered], lowered.origin) : lowered
}

function lowerMath(expr: MathExpr, context: LowerContext): Expr {
  const origin = context.at(expr.span)
  switch (expr.kind) {
    case 'number':
      return literal(toRangeNumber(expr.text) ?? NaN, origin)
    case 'field':
      return column(context.name({ parts: [expr.name], span: expr.span }), origin)
    case 'text':
      return literal(expr.text, origin)
    case 'negate':
      return call('neg', [lowerMath(expr.arg, context)], origin)
    case 'binary':
      return call(mathOps[expr.op].fn, [lowerMath(expr.left, context), lowerMath(expr.right, context)], origin)
    case 'call': {
      if (expr.name === 'now') return literal(toRangeNumber(String(context.nowNs)) ?? NaN, origin)
      return call(
        expr.name,
        expr.args.map((arg) => lowerMath(arg, context)),
        origin,
      )
    }
  }
}

export const math = definePipe({
  kind: 'math',
  names,
  rule: ($) => {
    const expression = registerMath($)
    const result = $.RULE('mathResult', (): MathResult => {
      const expr = $.subrule(expression)
      $.ACTION(() => refuseText($, expr))
      const name = $.option(0, {
        GATE: () => $.isNext(As) || !$.isNext(KeepExisting),
        DEF: () => $.subrule($.rules.alias),
      })
      return { expr, name }
    })
    return $.RULE('mathPipe', (): MathPipe => {
      const start = $.ACTION(() => $.startOffset())
      readName($, types)
      const condition = readCondition($, false)
      const results = [$.subrule(result)]
      $.many(0, () => {
        $.consume(t.Comma)
        results.push($.subrule(result))
      })
      // `keep_existing` is accepted but has no effect: `math` always keeps the other fields.
      $.option(0, { GATE: () => $.isNative, DEF: () => $.consume(KeepExisting) })
      return $.ACTION(() => {
        const seen = new Set<string>()
        for (const { expr, name } of results) {
          const called = name?.parts[0] ?? printMath(expr, $.session.printed)
          if (seen.has(called) && $.isNative) {
            const isNamed = name !== undefined
            $.report(logDiagnostic('duplicate-result', { name: called, isNamed }, name?.span ?? expr.span))
          }
          seen.add(called)
        }
        return { kind: 'math', condition, results, span: $.spanFrom(start) }
      })
    })
  },
  print: (pipe, printer) => {
    const results = pipe.results.map((result) => {
      const text = printMath(result.expr, printer.text)
      const wrapped = result.expr.kind === 'binary' ? `(${text})` : text
      return `${wrapped} as ${printer.text(nameOf(result, printer))}`
    })
    return `math${printer.condition(pipe.condition)} ${results.join(', ')}`
  },
  lower: (pipe, input, context) => ({
    kind: 'extend',
    input,
    assignments: pipe.results.map((result) => {
      const name = nameOf(result, context.printer)
      const value = lowerResult(result.expr, context)
      if (pipe.condition === undefined) return { name, expr: value, type: 'any' }
      const origin = context.at(pipe.span)
      const branches = [{ when: context.filter(pipe.condition), value }]
      return { name, expr: { kind: 'case', branches, otherwise: column(name, origin), origin }, type: 'any' }
    }),
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'Computes numbers out of fields.',
    form: 'math [if (filter)] expression [as name], …',
    examples: [
      {
        query: '* | stats count() as total, count() if (level:error) as bad | math bad / total * 100 as pct',
        text: 'a share in percent',
      },
      { query: '* | math round(duration_ms / 1000, 0.1) as seconds', text: 'rounded to a tenth' },
    ],
  },
})
