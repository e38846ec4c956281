import type { ValueTest } from '../../../data/index.ts'
import type { StreamMatcher } from '../../../plan/index.ts'
import type { Filter, OnField } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import type { Printer } from '../print/printer.ts'
import { quotedForRegexp, quoteText } from '../print/quote.ts'
import { listed } from '../rules/lists.ts'
import { checkRegexp } from '../rules/regexp.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

export interface LabelMatcher {
  readonly label: string
  readonly op: '=' | '!=' | '=~' | '!~'
  readonly value: string
  /** Strings of `in (…)`, if written so; `value` is then a regular expression that matches any of them. */
  readonly list: readonly string[] | undefined
}

/**
 * Matches stream fields, as in `{a="x", b=~"y" or c!="z"}`. Matchers with `,` between must all hold; `or` separates
 * alternatives.
 */
export interface StreamFilter extends OnField {
  readonly kind: 'stream'
  readonly alternatives: readonly (readonly LabelMatcher[])[]
}

declare module '../ast.ts' {
  interface FilterKinds {
    stream: StreamFilter
  }
}

const In = t.keyword('in')
const NotIn = t.keyword('not_in')

function own($: Syntax): Rule<[field?: FieldArgument], Filter> {
  const labelList = $.RULE('labelList', (): readonly string[] | undefined => {
    let isAll = false
    const texts: string[] = []
    $.consume(t.LParen)
    $.or(0, [
      {
        ALT: () => {
          $.consume(t.Star)
          isAll = true
        },
      },
      {
        ALT: () => {
          $.option(0, () => {
            $.takesLists = true
            texts.push(...listed($.subrule($.rules.text)).map(({ text }) => text))
            $.many(0, {
              GATE: () => !$.isNext(t.RParen, 2),
              DEF: () => {
                $.consume(t.Comma)
                $.takesLists = true
                texts.push(...listed($.subrule($.rules.text)).map(({ text }) => text))
              },
            })
            $.option(1, () => $.consume(t.Comma))
          })
        },
      },
    ])
    $.consume(t.RParen)
    return isAll ? undefined : texts
  })

  const matcher = $.RULE('labelMatcher', (): LabelMatcher => {
    const label = $.subrule($.rules.text)
    $.ACTION(() => $.refuseAsName(label))
    return $.or<LabelMatcher>(0, [
      {
        ALT: () => {
          const op = $.or(1, [
            { ALT: () => $.consume(t.Equals) },
            { ALT: () => $.consume(t.NotEquals) },
            { ALT: () => $.consume(t.EqualsTilde) },
            { ALT: () => $.consume(t.NotTilde) },
          ])
          const value = $.subrule($.rules.text)
          return $.ACTION(() => {
            const isRegexp = op.tokenType === t.EqualsTilde || op.tokenType === t.NotTilde
            if (isRegexp) checkRegexp($, value)
            return { label: label.text, op: op.image as '=', value: value.text, list: undefined }
          })
        },
      },
      {
        ALT: () => {
          const op = $.or(2, [{ ALT: () => $.consume(In) }, { ALT: () => $.consume(NotIn) }])
          const list = $.subrule(labelList)
          return $.ACTION(() => ({
            label: label.text,
            op: op.tokenType === In ? ('=~' as const) : ('!~' as const),
            value: list === undefined ? '.*' : list.map(quotedForRegexp).join('|'),
            list,
          }))
        },
      },
    ])
  })

  const alternative = $.RULE('labelMatchers', (): readonly LabelMatcher[] => {
    const matchers = [$.subrule(matcher)]
    $.many(0, {
      GATE: () => !$.isNext(t.RBrace, 2),
      DEF: () => {
        $.consume(t.Comma)
        matchers.push($.subrule(matcher))
      },
    })
    $.option(0, () => $.consume(t.Comma))
    return matchers
  })

  return $.RULE('streamFilter', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    const alternatives: (readonly LabelMatcher[])[] = []
    $.consume(t.LBrace)
    $.option(0, () => {
      alternatives.push($.subrule(alternative))
      $.many(0, () => {
        $.consume(t.Or)
        alternatives.push($.subrule(alternative))
      })
    })
    $.consume(t.RBrace)
    return $.ACTION(() => {
      const where = $.spanFrom(start)
      $.countTerm(where)
      return { kind: 'stream', alternatives, field: undefined, span: where }
    })
  })
}

function printMatcher({ label, op, value, list }: LabelMatcher, printer: Printer): string {
  if (list === undefined || printer.dialect === 'logsql') return `${printer.text(label)}${op}${quoteText(value)}`
  return `${printer.text(label)} ${op === '=~' ? 'in' : 'not_in'} (${list.map(printer.text).join(', ')})`
}

function matcherOf({ label, op, value, list }: LabelMatcher): StreamMatcher {
  const isNegated = op === '!=' || op === '!~'
  let test: ValueTest
  if (list !== undefined) test = { kind: 'in', values: list, isFolded: false, isTyped: false }
  else if (op === '=~' || op === '!~') test = { kind: 'regexp', pattern: `^(?:${value})$`, isFolded: false }
  else if (value === '') test = { kind: 'empty' }
  else test = { kind: 'equals', value, isFolded: false, isTyped: false }
  return { label, test, isNegated }
}

export const stream = defineFilter({
  kind: 'stream',
  names: [],
  own,
  print: (filter, printer) => {
    const matchers = filter.alternatives.map((alternative) =>
      alternative.map((matcher) => printMatcher(matcher, printer)).join(','),
    )
    return `{${matchers.join(' or ')}}`
  },
  lower: (filter, context) => ({
    kind: 'stream-filter',
    alternatives: filter.alternatives.length === 0 ? [[]] : filter.alternatives.map((labels) => labels.map(matcherOf)),
    origin: context.at(filter.span),
  }),
  doc: {
    summary: 'The fields that make up a stream; regular expressions match the whole value.',
    form: '{label="value", label=~"pattern" or label in (a, b)}',
    examples: [
      { query: '{namespace="shop", workload!="checkout-api"}', text: 'rows of some streams' },
      { query: '{workload in (payments, frontend)}', text: 'rows of two workloads' },
    ],
  },
})
