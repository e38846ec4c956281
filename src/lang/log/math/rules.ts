import { toRangeNumber } from '../../../data/index.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { BoundParameter } from '../bound-parameter.ts'
import { LimitFault, type Rule, type Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import type { LiteralType } from '../stats/call.ts'
import { mathTree, type MathExpr, type MathOp } from './expression.ts'

const Xor = t.keyword('xor')
const Default = t.keyword('default')

function operandOf(text: string, isQuoted: boolean, span: MathExpr['span']): MathExpr {
  const number = toRangeNumber(text)
  const isNumber = number !== undefined && (!Number.isNaN(number) || /^nan$/i.test(text))
  return isNumber ? { kind: 'number', text, isQuoted, span } : { kind: 'field', name: text, isQuoted, span }
}

/** Registers the rules of arithmetic expressions such as `a + b * max(c, 1d)`. */
export function registerMath($: Syntax): Rule<[], MathExpr> {
  /**
   * Operand that is a name or a number. Only dots and colons join words here, because `+`, `-` and `/` are operators.
   */
  const name = $.RULE('mathWord', (): MathExpr => {
    const start = $.ACTION(() => $.startOffset())
    let text = ''
    $.option(0, { GATE: () => /^\d/.test($.next(2).image) && $.touches(2), DEF: () => $.consume(t.Dot) })
    $.ACTION(() => {
      if ($.LA(0).tokenType === t.Dot) text = '.'
    })
    text += $.consume(t.Word).image
    $.many(0, {
      GATE: () => $.touches() && (!$.isNext(t.Minus) || isExponent(text)) && (!$.isNext(t.Plus) || isExponent(text)),
      DEF: () => {
        text += $.or(0, [
          { ALT: () => $.consume(t.Plus).image + $.consume(t.Word).image },
          { ALT: () => $.consume(t.Minus).image + $.consume(t.Word).image },
          {
            // The word is optional, because a name may end with the dot or colon.
            ALT: () => {
              const glue = $.or(1, [{ ALT: () => $.consume(t.Dot) }, { ALT: () => $.consume(t.Colon) }])
              const word = $.option(1, { GATE: () => $.touches(), DEF: () => $.consume(t.Word) })
              return glue.image + (word?.image ?? '')
            },
          },
        ])
      },
    })
    return $.ACTION(() => operandOf(text, false, $.spanFrom(start)))
  })

  const call = $.RULE('mathCall', (): MathExpr => {
    const start = $.ACTION(() => $.startOffset())
    const word = $.consume(t.Word)
    const args: MathExpr[] = []
    $.consume(t.LParen)
    $.option(0, () => {
      args.push($.nested(() => $.subrule(expression)))
      $.many(0, {
        GATE: () => !$.isNext(t.RParen, 2),
        DEF: () => {
          $.consume(t.Comma)
          args.push($.nested(() => $.subrule(expression)))
        },
      })
      $.option(1, () => $.consume(t.Comma))
    })
    $.consume(t.RParen)
    return $.ACTION(() => {
      const where = $.spanFrom(start)
      const fn = word.image.toLowerCase()
      const known = $.session.math
      const form = known.get(fn)
      if (form === undefined) {
        $.report(logDiagnostic('unknown-math', { name: word.image, known: [...known.keys()] }, $.tokenSpan(word)))
      } else if (args.length < form.min || args.length > form.max) {
        const data = { name: fn, min: form.min, max: form.max, count: args.length }
        $.report(logDiagnostic('wrong-argument-count', data, where))
      }
      return { kind: 'call', name: fn, args: withLiterals($, fn, args, form?.literals), span: where }
    })
  })

  const operand = $.RULE('mathOperand', (): MathExpr => {
    const start = $.ACTION(() => $.startOffset())
    let isNegated = false
    $.many(0, () => {
      $.consume(t.Minus)
      isNegated = !isNegated
    })
    const arg = $.or<MathExpr>(0, [
      {
        ALT: () => {
          $.consume(t.LParen)
          const inner = $.nested(() => $.subrule(expression))
          $.consume(t.RParen)
          return inner
        },
      },
      {
        ALT: () => {
          const token = $.consume(t.Quoted)
          if (token.parameter !== undefined) return parameterOf($, token.parameter, $.tokenSpan(token))
          return operandOf(token.value, true, $.tokenSpan(token))
        },
      },
      {
        // A parameter after an operator: the scanner gives separate tokens for `$` and the name, because text such as
        // `-$name` is one word outside arithmetic.
        ALT: () => {
          $.consume(t.Dollar)
          const word = $.consume(t.Word)
          return $.ACTION(() => {
            const where = $.spanFrom(start)
            const parameter = $.session.parameter(word.image, where)
            return parameter === undefined
              ? { kind: 'number', text: 'nan', isQuoted: false, span: where }
              : parameterOf($, parameter, where)
          })
        },
      },
      { GATE: () => $.isNext(t.LParen, 2), ALT: () => $.subrule(call) },
      { ALT: () => $.subrule(name) },
    ])
    $.ACTION(() => {
      if (isNegated) refuseText($, arg)
    })
    return $.ACTION(() => (isNegated ? { kind: 'negate', arg, span: $.spanFrom(start) } : arg))
  })

  const operator = $.RULE('mathOperator', (): MathOp => {
    const token = $.or(0, [
      { ALT: () => $.consume(t.Caret) },
      { ALT: () => $.consume(t.Star) },
      { ALT: () => $.consume(t.Slash) },
      { ALT: () => $.consume(t.Percent) },
      { ALT: () => $.consume(t.Plus) },
      { ALT: () => $.consume(t.Minus) },
      { ALT: () => $.consume(t.Ampersand) },
      { ALT: () => $.consume(Xor) },
      { ALT: () => $.consume(t.Or) },
      { ALT: () => $.consume(Default) },
    ])
    return $.ACTION(() => token.image.toLowerCase() as MathOp)
  })

  const expression: Rule<[], MathExpr> = $.RULE('mathExpression', (): MathExpr => {
    const operands = [$.subrule(operand)]
    const ops: MathOp[] = []
    $.many(0, () => {
      ops.push($.subrule(operator))
      operands.push($.subrule(operand))
    })
    return $.ACTION(() => {
      if (operands.length > 1) for (const each of operands) refuseText($, each)
      const { tree, depth } = mathTree(operands, ops)
      const limit = $.session.limits.depth
      // The depth of the tree is limited too, because a long chain of left-associative operators gives a deep tree.
      if (depth > limit) throw new LimitFault(logDiagnostic('too-deep', { limit }, tree.span))
      return tree
    })
  })
  return expression
}

/** Returns a parameter's value as an operand: a number, or a string where a literal argument is expected. */
function parameterOf($: Syntax, parameter: BoundParameter, span: MathExpr['span']): MathExpr {
  $.refuseList(parameter, span)
  const text = parameter.texts[0] ?? ''
  const operand = operandOf(text, parameter.isText, span)
  const { name } = parameter
  return operand.kind === 'number' ? { ...operand, parameter: name } : { kind: 'text', text, parameter: name, span }
}

export function refuseText($: Syntax, expr: MathExpr): void {
  if (expr.kind !== 'text' || expr.parameter === undefined) return
  const reason = 'a number stands there'
  $.fail(logDiagnostic('bad-parameter', { name: expr.parameter, reason }, expr.span))
}

/** Converts the arguments of a call: leading arguments that the function declares as literals become literals. */
function withLiterals(
  $: Syntax,
  name: string,
  args: readonly MathExpr[],
  literals: readonly LiteralType[] = [],
): readonly MathExpr[] {
  return args.map((arg, i): MathExpr => {
    const type = literals[i]
    if (type === undefined) refuseText($, arg)
    if (type === undefined || (type === 'number' && arg.kind === 'number')) return arg
    if (type === 'string' && arg.kind === 'text') return arg
    const isText = (arg.kind === 'number' || arg.kind === 'field') && arg.isQuoted
    if (type === 'string' && isText)
      return { kind: 'text', text: arg.kind === 'number' ? arg.text : arg.name, span: arg.span }
    const text = $.session.source.slice(arg.span.start, arg.span.end)
    return $.fail(
      logDiagnostic(
        'wrong-argument',
        { name, text, what: type === 'string' ? 'a text in quotes there' : 'a number there' },
        arg.span,
      ),
    )
  })
}

/**
 * True if a text such as `1e` begins a number with an exponent. The sign and the digits of the exponent are the next
 * tokens.
 */
function isExponent(text: string): boolean {
  return /^[\d_.]+e$/i.test(text)
}
