import { parseDurationNs } from '../../../base/index.ts'
import { parseNumber } from '../../../data/index.ts'
import type { QueryOption, TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

const Options = t.keyword('options')

interface OptionKind {
  /** Description of the expected value, for messages. */
  readonly what: string
  readonly accepts: (text: string) => boolean
  /** True if the option exists in the `native` dialect only. */
  readonly isNativeOnly?: boolean
  /** Converts alternative spellings of the value that LogsQL allows. */
  readonly standsFor?: (text: string) => string
  /** True if the value is a name, which cannot be a parameter. */
  readonly isName?: boolean
}

/** Option whose value is a count; 0 means the default. */
const count: OptionKind = {
  what: 'a whole number',
  accepts: (text) => {
    const number = parseNumber(text)
    return number !== undefined && number >= 0 && (typeof number === 'bigint' || Number.isInteger(number))
  },
}
const flag: OptionKind = {
  what: '`true` or `false`',
  accepts: (text) => /^(?:true|false)$/i.test(text),
  standsFor: (text) => (/^[1t]$/i.test(text) ? 'true' : /^[0f]$/i.test(text) ? 'false' : text),
}
const duration: OptionKind = { what: 'a duration', accepts: (text) => parseDurationNs(text) !== undefined }
const rangeOffset: OptionKind = { ...duration, isNativeOnly: true }
const domain: OptionKind = {
  // Any table name is accepted here; binding checks that the table exists.
  what: 'a table',
  accepts: (text) => text !== '',
  isNativeOnly: true,
  isName: true,
}
const filter: OptionKind = { what: 'a filter in parentheses', accepts: () => false }

/** Options that `options( … )` may contain, by name. */
export const optionKinds: ReadonlyMap<string, OptionKind> = new Map([
  ['concurrency', count],
  ['parallel_readers', count],
  ['ignore_global_time_filter', flag],
  ['allow_partial_response', flag],
  ['time_offset', duration],
  ['global_filter', filter],
  ['range_offset', rangeOffset],
  ['domain', domain],
])

export function registerOptions($: Syntax): Rule<[], readonly QueryOption[]> {
  const option = $.RULE('queryOption', (): QueryOption => {
    const start = $.ACTION(() => $.startOffset())
    const name = $.subrule($.rules.text)
    $.ACTION(() => $.refuseAsName(name))
    $.consume(t.Equals)
    let value: TextValue | undefined
    const inner = $.or(0, [
      { ALT: () => $.subrule($.rules.parenFilter) },
      {
        ALT: () => {
          value = $.subrule($.rules.text)
          return undefined
        },
      },
    ])
    return $.ACTION(() => {
      const key = name.text.toLowerCase()
      const known = [...optionKinds].filter(([, each]) => $.isNative || each.isNativeOnly !== true)
      const kind = known.find(([each]) => each === key)?.[1]
      if (!$.isNative && value !== undefined && kind?.standsFor !== undefined) {
        value = { ...value, text: kind.standsFor(value.text) }
      }
      if (kind?.isName === true && value !== undefined) $.refuseAsName(value)
      if (kind === undefined) {
        $.report(logDiagnostic('unknown-option', { name: name.text, known: known.map(([each]) => each) }, name.span))
      } else if ((kind === filter) !== (inner !== undefined) || (value !== undefined && !kind.accepts(value.text))) {
        $.report(
          logDiagnostic(
            'bad-option',
            { name: key, text: value?.text ?? '(…)', what: kind.what },
            value?.span ?? $.spanFrom(start),
          ),
        )
      }
      return { name: key, value, filter: inner, span: $.spanFrom(start) }
    })
  })

  return $.RULE('options', (): readonly QueryOption[] => {
    const given: QueryOption[] = []
    $.consume(Options)
    $.consume(t.LParen)
    $.option(0, () => {
      given.push($.subrule(option))
      $.many(0, {
        GATE: () => !$.isNext(t.RParen, 2),
        DEF: () => {
          $.consume(t.Comma)
          given.push($.subrule(option))
        },
      })
      $.option(1, () => $.consume(t.Comma))
    })
    $.consume(t.RParen)
    return given
  })
}
