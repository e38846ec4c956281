import type { FieldRef, PatternValue, TextValue } from '../ast.ts'
import type { BoundParameter } from '../bound-parameter.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { quoteText } from '../print/quote.ts'
import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

/** A star, quoted string or word inside a value, as written. */
interface ValueToken {
  readonly kind: 'text' | 'quoted' | 'star'
  readonly text: string
  readonly start: number
  readonly end: number
  readonly parameter?: BoundParameter | undefined
}

/**
 * Registers the rules of values. Touching words are joined by `+ - / : . $`; touching stars make a pattern. A quoted
 * string can be joined only with stars.
 */
export function registerValues($: Syntax): void {
  const compound = $.RULE('compound', (withColon?: boolean): string => {
    let text = ''
    $.atLeastOne(0, {
      GATE: () => (text === '' || $.touches()) && (withColon === true || !$.isNext(t.Colon)),
      DEF: () => {
        const valueToken = $.or(0, [
          { ALT: () => $.consume(t.Word) },
          { ALT: () => $.consume(t.Glue) },
          { ALT: () => $.consume(t.Colon), GATE: () => withColon === true },
        ])
        text += valueToken.image
      },
    })
    return text
  })

  $.rules.pattern = $.RULE('pattern', (withColon?: boolean): PatternValue => {
    const tokens: ValueToken[] = []
    const start = $.ACTION(() => $.startOffset())
    $.atLeastOne(0, {
      GATE: () =>
        (tokens.length === 0 || ($.touches() && !isOperatorBehindQuotes($))) &&
        (withColon === true || !$.isNext(t.Colon)),
      DEF: () => {
        const from = $.ACTION(() => $.startOffset())
        const valueToken = $.or<Pick<ValueToken, 'kind' | 'text' | 'parameter'>>(0, [
          { ALT: () => ({ kind: 'star', text: $.consume(t.Star).image }) },
          {
            ALT: () => {
              const { value, parameter } = $.consume(t.Quoted)
              return { kind: 'quoted', text: value, parameter }
            },
          },
          {
            ALT: () => ({ kind: 'text', text: $.subrule(compound, withColon) }),
          },
        ])
        tokens.push({ ...valueToken, start: from, end: $.endOffset() })
      },
    })
    return $.ACTION(() => patternOf($, tokens, start))
  })

  $.rules.text = $.RULE('text', (): TextValue => {
    const start = $.ACTION(() => $.startOffset())
    const takesList = $.takesLists
    $.takesLists = false
    return $.or<TextValue>(0, [
      {
        ALT: () => {
          const { value, parameter } = $.consume(t.Quoted)
          const where = $.spanFrom(start)
          $.ACTION(() => {
            if (!takesList) $.refuseList(parameter, where)
          })
          return { text: value, isQuoted: parameter?.isText ?? true, span: where, parameter }
        },
      },
      {
        ALT: () => {
          const text = $.subrule(compound, true)
          return { text, isQuoted: false, span: $.spanFrom(start) }
        },
      },
    ])
  })

  // A field name in a pipe may contain colons, unless a colon ends it, as in `by (_time:5m)`.
  $.rules.fieldPattern = $.RULE('fieldPattern', (endsAtColon?: boolean): FieldRef => {
    const { parts, span, parameter } = $.subrule($.rules.pattern, endsAtColon !== true)
    return $.ACTION(() => {
      if (!$.takesLiterals) $.refuseAsName({ parameter, span })
      const isSuffixOnly = parts.length === 1 || (parts.length === 2 && parts[1] === '')
      if (!$.isNative && !isSuffixOnly) {
        $.fail(logDiagnostic('inner-wildcard', { text: parts.join('*') }, span))
      }
      return { parts, span, parameter }
    })
  })

  $.rules.field = $.RULE('field', (endsAtColon?: boolean): FieldRef => {
    const field = $.subrule($.rules.fieldPattern, endsAtColon)
    return $.ACTION(() => {
      if (field.parts.length > 1) $.fail(logDiagnostic('field-wildcard', { text: field.parts.join('*') }, field.span))
      return field
    })
  })
}

function isOperatorBehindQuotes($: Syntax): boolean {
  return $.isNext(t.Quoted, 0) && $.isNextOneOf([t.And, t.Or])
}

function patternOf($: Syntax, tokens: readonly ValueToken[], start: number): PatternValue {
  const parts = ['']
  let previous: ValueToken | undefined
  for (const valueToken of tokens) {
    if (valueToken.kind === 'star') parts.push('')
    else {
      if (previous !== undefined && previous.kind !== 'star') touching($, valueToken)
      parts[parts.length - 1] += valueToken.text
    }
    previous = valueToken
  }
  const where = $.spanFrom(start)
  const { parameter } = tokens.find((valueToken) => valueToken.parameter !== undefined) ?? {}
  $.refuseList(parameter, where)
  const isQuoted = tokens.length === 1 && tokens[0]?.kind === 'quoted'
  const pattern: PatternValue = { parts, isQuoted, span: where, parameter }
  if (parts.length > 1) $.checkPattern(parts.join('*'), where)
  return pattern
}

function touching($: Syntax, valueToken: ValueToken): never {
  const text = $.session.source.slice(valueToken.start, valueToken.end)
  const quoted = valueToken.kind === 'quoted' ? '' : quoteText(text)
  $.fail(logDiagnostic('touching-filters', { text, quoted }, { start: valueToken.start, end: valueToken.end }))
}
