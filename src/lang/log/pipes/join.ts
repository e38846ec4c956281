import type { Span } from '../../../base/index.ts'
import type { JoinType } from '../../../plan/index.ts'
import type { FieldRef, Source } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { noStars } from '../rules/lists.ts'
import * as t from '../tokens.ts'
import { lowerSource, printSource } from './rows.ts'

/** Fields of matching rows of another input, added to each row. */
export interface JoinPipe {
  readonly kind: 'join'
  readonly by: readonly FieldRef[]
  readonly source: Source
  readonly type: JoinType
  /** In front of all names from the other side. */
  readonly prefix: string | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    join: JoinPipe
  }
}

const Join = t.keyword('join')
const By = t.keyword('by')
const On = t.keyword('on')
const Prefix = t.keyword('prefix')
const typeWords: ReadonlyMap<string, JoinType> = new Map([
  ['inner', 'inner'],
  ['left', 'left'],
  ['right', 'right'],
  ['full', 'full'],
])
const types = [...typeWords.keys()].map(t.keyword)
const Inner = t.keyword('inner')

export const join = definePipe({
  kind: 'join',
  names: ['join'],
  rule: ($) =>
    $.RULE('joinPipe', (): JoinPipe => {
      const start = $.ACTION(() => $.startOffset())
      const name = $.consume(0, Join)
      $.option(0, () => $.or(0, [{ ALT: () => $.consume(0, By) }, { ALT: () => $.consume(0, On) }]))
      const by = $.subrule(0, $.rules.parenFieldPatterns)
      const source = $.subrule(0, $.rules.source)
      const type = $.option(1, {
        GATE: () => $.isNative || $.isNext(Inner),
        DEF: () =>
          $.or(
            1,
            types.map((word) => ({ ALT: () => $.consume(1, word) })),
          ),
      })
      const prefix = $.option(2, () => {
        $.consume(0, Prefix)
        return $.subrule(0, $.rules.text)
      })
      return $.ACTION(() => {
        noStars($, by)
        if (by.length === 0) {
          $.fail(logDiagnostic('missing-keys', { what: 'join', example: 'join by (trace_id) (…)' }, $.tokenSpan(name)))
        }
        const joinType = typeWords.get(type?.image.toLowerCase() ?? 'left') ?? 'left'
        return { kind: 'join', by, source, type: joinType, prefix: prefix?.text, span: $.spanFrom(start) }
      })
    }),
  print: (pipe, printer) => {
    const type = pipe.type === 'left' ? '' : ` ${pipe.type}`
    const prefix = pipe.prefix === undefined ? '' : ` prefix ${printer.text(pipe.prefix)}`
    return `join by (${printer.fields(pipe.by)}) ${printSource(pipe.source, printer)}${type}${prefix}`
  },
  lower: (pipe, input, context) => ({
    kind: 'join',
    left: input,
    right: lowerSource(pipe.source, context),
    type: pipe.type,
    on: pipe.by.map((field) => ({ left: context.name(field), right: context.name(field) })),
    prefix: pipe.prefix,
    prefixMode: 'all',
    origin: context.at(pipe.span),
  }),
  doc: {
    summary:
      'Adds the fields of matching rows of another query; rows without a match stay, unless it is an inner join.',
    form: 'join by (field, …) (query) [inner|left|right|full] [prefix text]',
    examples: [
      {
        query: 'level:error | join by (trace_id) (kind:Server | stats by (trace_id) max(duration_ms) as slowest)',
        text: 'errors with the slowest server span of their trace',
      },
      { query: '* | join by (level) rows({"level":"error","weight":"5"}) inner', text: 'a table written in place' },
    ],
  },
})
