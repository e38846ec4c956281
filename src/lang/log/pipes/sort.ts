import type { Span } from '../../../base/index.ts'
import { column, type SortKey } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import { noStars } from '../rules/lists.ts'
import type { SortField } from '../stats/call.ts'
import { sortKeys } from '../stats/lower.ts'
import { printSortFields } from '../stats/print.ts'
import * as t from '../tokens.ts'
import { turned } from './first-last.ts'

/** Orders the rows; with a limit only the first ones, of each partition. Without keys by all fields. */
export interface SortPipe {
  readonly kind: 'sort'
  readonly keys: readonly SortField[]
  /** Turns all directions around. */
  readonly isReversed: boolean
  readonly offset: number | undefined
  readonly limit: number | undefined
  readonly partitionBy: readonly FieldRef[]
  readonly rank: FieldRef | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    sort: SortPipe
  }
}

const Limit = t.keyword('limit')
const Offset = t.keyword('offset')
const Partition = t.keyword('partition')
const Rank = t.keyword('rank')
const By = t.keyword('by')

/** `rank [as name]`; the default name is `rank`. */
export function registerRank($: Syntax): Rule<[], FieldRef> {
  return $.RULE('rank', (): FieldRef => {
    const word = $.consume(0, Rank)
    const name = $.option(0, {
      GATE: () => !$.isNextOneOf([Limit, Offset, Partition]),
      DEF: () => $.subrule(0, $.rules.alias),
    })
    return $.ACTION(() => name ?? { parts: ['rank'], span: $.tokenSpan(word) })
  })
}

/** `partition [by] (fields)` */
export function registerPartition($: Syntax): Rule<[], readonly FieldRef[]> {
  return $.RULE('partition', (): readonly FieldRef[] => {
    $.consume(0, Partition)
    $.option(0, () => $.consume(0, By))
    const fields = $.subrule(0, $.rules.parenFieldPatterns)
    $.ACTION(() => noStars($, fields))
    return fields
  })
}

interface Clauses {
  offset?: number
  limit?: number
  partition?: readonly FieldRef[]
  rank?: FieldRef
}

function clausesRule($: Syntax): Rule<[], Clauses> {
  return $.RULE('sortClauses', (): Clauses => {
    const given: Clauses = {}
    const set = <K extends keyof Clauses>(name: K, value: Clauses[K], where: Span): void => {
      if (given[name] !== undefined) $.fail(logDiagnostic('repeated-clause', { name }, where))
      given[name] = value
    }
    $.many(0, () => {
      const start = $.ACTION(() => $.startOffset())
      $.or(0, [
        {
          ALT: () => {
            $.consume(0, Offset)
            const count = $.subrule(0, $.rules.count)
            $.ACTION(() => set('offset', count, $.spanFrom(start)))
          },
        },
        {
          ALT: () => {
            $.consume(0, Limit)
            const count = $.subrule(1, $.rules.count)
            $.ACTION(() => set('limit', count, $.spanFrom(start)))
          },
        },
        {
          ALT: () => {
            const fields = $.subrule(0, $.rules.partition)
            $.ACTION(() => set('partition', fields, $.spanFrom(start)))
          },
        },
        {
          ALT: () => {
            const rank = $.subrule(0, $.rules.rank)
            $.ACTION(() => set('rank', rank, $.spanFrom(start)))
          },
        },
      ])
    })
    return given
  })
}

function checkSort($: Syntax, pipe: SortPipe, name: Span): SortPipe {
  if ($.isNative && pipe.keys.length === 0) {
    $.fail(logDiagnostic('missing-keys', { what: 'sort', example: 'sort by (_time desc)' }, name))
  }
  if (pipe.partitionBy.length > 0 && pipe.limit === undefined) {
    $.fail(logDiagnostic('missing-clause', { what: 'sort … partition by', clause: 'limit' }, pipe.span))
  }
  return pipe
}

export const sort = definePipe({
  kind: 'sort',
  names: ['sort', 'order'],
  rule: ($) => {
    const clauses = clausesRule($)
    return $.RULE('sortPipe', (): SortPipe => {
      const start = $.ACTION(() => $.startOffset())
      const name = $.or(0, [
        { ALT: () => $.consume(0, t.keyword('sort')) },
        { ALT: () => $.consume(0, t.keyword('order')) },
      ])
      const keys = $.option(0, {
        GATE: () => $.isNext(By) || $.isNext(t.LParen),
        DEF: () => {
          $.option(1, () => $.consume(0, By))
          return $.subrule(0, $.rules.sortFields)
        },
      })
      const direction = $.option(2, () =>
        $.or(1, [{ ALT: () => $.consume(0, t.keyword('asc')) }, { ALT: () => $.consume(0, t.keyword('desc')) }]),
      )
      const given = $.subrule(0, clauses)
      return $.ACTION(() => {
        const pipe: SortPipe = {
          kind: 'sort',
          keys: keys ?? [],
          isReversed: direction?.tokenType === t.keyword('desc'),
          offset: given.offset,
          limit: given.limit,
          partitionBy: given.partition ?? [],
          rank: given.rank,
          span: $.spanFrom(start),
        }
        return checkSort($, pipe, $.tokenSpan(name))
      })
    })
  },
  print: (pipe, printer) => {
    let text = 'sort'
    if (pipe.keys.length > 0) text += ` by (${printSortFields(pipe.keys, printer)})`
    if (pipe.isReversed) text += ' desc'
    if (pipe.partitionBy.length > 0) text += ` partition by (${printer.fields(pipe.partitionBy)})`
    if (pipe.offset !== undefined && pipe.offset > 0) text += ` offset ${pipe.offset}`
    if (pipe.limit !== undefined) text += ` limit ${pipe.limit}`
    if (pipe.rank !== undefined) text += ` rank${pipe.rank.parts[0] === 'rank' ? '' : printer.as(pipe.rank)}`
    return text
  },
  lower: (pipe, input, context) => {
    const written = sortKeys(pipe.keys, context)
    const origin = context.at(pipe.span)
    // No keys are all fields; only backwards they need a key that says so.
    const all: SortKey = { expr: { kind: 'columns', fields: { parts: ['', ''] }, origin }, direction: 'asc' }
    const keys = (written.length === 0 && pipe.isReversed ? [all] : written).map((key) =>
      pipe.isReversed ? turned(key) : key,
    )
    return {
      kind: 'sort',
      input,
      keys,
      offset: pipe.offset ?? 0,
      limit: pipe.limit,
      partitionBy: pipe.partitionBy.map((field) => column(context.name(field), context.at(field.span))),
      rankName: pipe.rank === undefined ? undefined : context.name(pipe.rank),
      origin,
    }
  },
  doc: {
    summary: 'Orders rows by fields: numbers by value, then times, then texts, missing values last.',
    form: 'sort by (field [asc|desc], …) [partition by (field, …)] [offset count] [limit count] [rank [as name]]',
    examples: [
      { query: 'level:error | sort by (duration_ms desc) | limit 100', text: 'the slowest errors' },
      {
        query: '* | sort by (duration_ms desc) partition by (workload) limit 3',
        text: 'the three slowest of each workload',
      },
    ],
  },
})
