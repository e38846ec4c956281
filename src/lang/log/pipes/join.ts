import type { Span } from '../../../base/index.ts'
import type { JoinType } from '../../../plan/index.ts'
import type { FieldRef, Source } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { noStars, registerKeys, registerList } from '../rules/lists.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { lowerSource, printSource } from './rows.ts'

/** Pipe that adds to each row the fields of matching rows of another input. */
export interface JoinPipe {
  readonly kind: 'join'
  readonly by: readonly FieldRef[]
  /** For each key, its name in the other input; `undefined` if both inputs have the same name. */
  readonly others: readonly (FieldRef | undefined)[]
  readonly source: Source
  readonly type: JoinType
  /** Prefix added to names from the other input; `undefined` for none. */
  readonly prefix: string | undefined
  /** True if the prefix, followed by a dot, is added only to names that both inputs have. */
  readonly isPrefixForClashes: boolean
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
const Clashing = t.keyword('clashing')
const typeWords: ReadonlyMap<string, JoinType> = new Map([
  ['inner', 'inner'],
  ['left', 'left'],
  ['right', 'right'],
  ['full', 'full'],
  ['cross', 'cross'],
])
const types = [...typeWords.keys()].map(t.keyword)
const Inner = t.keyword('inner')

interface JoinKey {
  readonly left: FieldRef
  readonly right: FieldRef | undefined
}

/**
 * Registers the rule of join keys: `by (a, b = c, …)`, or the list alone. In `b = c`, `c` is the name in the other
 * input.
 */
function keysRule($: Syntax): Rule<[], readonly JoinKey[]> {
  const one = $.RULE('joinKey', (): JoinKey => {
    const left = $.subrule($.rules.fieldPattern)
    const right = $.option(0, {
      GATE: () => $.isNative,
      DEF: () => {
        $.consume(t.Equals)
        return $.subrule($.rules.fieldPattern)
      },
    })
    return { left, right }
  })
  const list = registerList($, 'joinList', one)
  const keys = registerKeys($, 'joinKeys', list, one, false)
  return $.RULE('joinBy', (): readonly JoinKey[] => {
    return $.or(0, [
      {
        ALT: () => {
          $.or(1, [{ ALT: () => $.consume(By) }, { ALT: () => $.consume(On) }])
          return $.subrule(keys)
        },
      },
      { ALT: () => $.subrule(list) },
    ])
  })
}

export const join = definePipe({
  kind: 'join',
  names: ['join'],
  rule: ($) => {
    const joinKeys = keysRule($)
    return $.RULE('joinPipe', (): JoinPipe => {
      const start = $.ACTION(() => $.startOffset())
      const name = $.consume(Join)
      const keys = $.subrule(joinKeys)
      const source = $.subrule($.rules.source)
      const type = $.option(1, {
        GATE: () => $.isNative || $.isNext(Inner),
        DEF: () =>
          $.or(
            1,
            types.map((word) => ({ ALT: () => $.consume(word) })),
          ),
      })
      const prefix = $.option(2, () => {
        $.consume(Prefix)
        const text = $.subrule($.rules.text)
        const clashing = $.option(3, { GATE: () => $.isNative, DEF: () => $.consume(Clashing) })
        return { text: text?.text, isForClashes: clashing !== undefined }
      })
      return $.ACTION(() => {
        const by = keys.map(({ left }) => left)
        const others = keys.map(({ right }) => right)
        const named = [...by, ...others.filter((field) => field !== undefined)]
        for (const field of named) $.countField(field.span)
        noStars($, named)
        const isCross = type?.image.toLowerCase() === 'cross'
        if (by.length === 0 && !isCross) {
          $.fail(logDiagnostic('missing-keys', { what: 'join', example: 'join by (trace_id) (…)' }, $.tokenSpan(name)))
        }
        const joinType = typeWords.get(type?.image.toLowerCase() ?? 'left') ?? 'left'
        const isPrefixForClashes = prefix?.isForClashes ?? false
        return {
          kind: 'join',
          by,
          others,
          source,
          type: joinType,
          prefix: prefix?.text,
          isPrefixForClashes,
          span: $.spanFrom(start),
        }
      })
    })
  },
  print: (pipe, printer) => {
    const type = pipe.type === 'left' ? '' : ` ${pipe.type}`
    const prefix =
      pipe.prefix === undefined
        ? ''
        : ` prefix ${printer.text(pipe.prefix)}${pipe.isPrefixForClashes ? ' clashing' : ''}`
    const keys = pipe.by.map((field, i) => {
      const other = pipe.others[i]
      return other === undefined ? printer.field(field) : `${printer.field(field)} = ${printer.field(other)}`
    })
    return `join by (${keys.join(', ')}) ${printSource(pipe.source, printer)}${type}${prefix}`
  },
  lower: (pipe, input, context) => ({
    kind: 'join',
    left: input,
    right: lowerSource(pipe.source, context),
    type: pipe.type,
    on: pipe.by.map((field, i) => ({ left: context.name(field), right: context.name(pipe.others[i] ?? field) })),
    prefix: pipe.prefix,
    prefixMode: pipe.isPrefixForClashes ? 'collision' : 'all',
    origin: context.at(pipe.span),
  }),
  doc: {
    summary:
      'Adds the fields of matching rows of another query; rows without a match stay, unless it is an inner join.',
    form: 'join by (field [= other], …) (query) [inner|left|right|full|cross] [prefix text [clashing]]',
    examples: [
      {
        query: 'level:error | join by (trace_id) (kind:Server | stats by (trace_id) max(duration_ms) as slowest)',
        text: 'errors with the slowest server span of their trace',
      },
      {
        query:
          '* | join by (trace_id = parent_trace) (kind:Server | fields parent_trace, level) prefix server clashing',
        text: 'a key of another name there; its level is called server.level',
        dialect: 'native',
      },
      {
        query: 'level:error | join by (pod) (from spans kind:Server | stats by (pod) max(duration_seconds) as slowest)',
        text: 'rows of another table, `spans`: a query in parentheses reads the table that stands behind `from` at its beginning',
        dialect: 'native',
      },
      { query: '* | join by (level) rows({"level":"error","weight":"5"}) inner', text: 'a table written in place' },
    ],
  },
})
