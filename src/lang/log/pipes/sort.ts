import { present, type Span } from '../../../base/index.ts'
import { call, column, literal, type LogicalPlan, type SortKey } from '../../../plan/index.ts'
import type { FieldRef, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Rule, Syntax } from '../syntax.ts'
import { noStars, readBy } from '../rules/lists.ts'
import type { SortField } from '../stats/call.ts'
import { expectParentheses } from '../stats/call-rules.ts'
import { sortKeys } from '../stats/lower.ts'
import { printSortFields } from '../stats/print.ts'
import * as t from '../tokens.ts'
import { allFields, turned, withPartitions } from './first-last.ts'
import { named } from './parts.ts'

const Sort = t.keyword('sort')
const Order = t.keyword('order')
const Asc = t.keyword('asc')
const Desc = t.keyword('desc')

/**
 * Pipe that sorts the rows, by all fields if there are no keys. A limit keeps only the first rows of each partition.
 */
export interface SortPipe {
  readonly kind: 'sort'
  readonly keys: readonly SortField[]
  /** True if the directions of all keys are reversed. */
  readonly isReversed: boolean
  readonly offset: number | undefined
  readonly limit: number | undefined
  readonly partitionBy: readonly FieldRef[]
  readonly rank: FieldRef | undefined
  /** True if further rows whose keys all equal those of the last kept row are kept too. */
  readonly hasTies: boolean
  /**
   * Values of the keys, one for each, of the last row of the previous page. Only rows that sort after them are
   * returned.
   */
  readonly after: readonly TextValue[]
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
const With = t.keyword('with')
const Ties = t.keyword('ties')
const After = t.keyword('after')
const directions = [t.keyword('asc'), t.keyword('desc')]

/** Registers the rule of `rank [as name]`; the default name is `rank`. */
export function registerRank($: Syntax): Rule<[], FieldRef> {
  return $.RULE('rank', (): FieldRef => {
    const word = $.consume(Rank)
    const name = $.option(0, {
      GATE: () => !$.isNextOneOf([Limit, Offset, Partition]),
      DEF: () => $.subrule($.rules.alias),
    })
    return $.ACTION(() => name ?? { parts: ['rank'], span: $.tokenSpan(word) })
  })
}

/** Registers the rule of `partition [by] (fields)`. */
export function registerPartition($: Syntax): Rule<[], readonly FieldRef[]> {
  return $.RULE('partition', (): readonly FieldRef[] => {
    $.consume(Partition)
    const fields = readBy($, $.rules.parenFieldPatterns, $.rules.keyFields)
    return $.ACTION(() => {
      if (fields === undefined) $.fail($.unexpected($.next(), ['by', '(']))
      noStars($, fields)
      return fields
    })
  })
}

interface Clauses {
  offset?: number
  limit?: number
  partition?: readonly FieldRef[]
  rank?: FieldRef
  ties?: boolean
  after?: readonly TextValue[]
  /** Positions of the members' values in `after`, for diagnostics. */
  spans?: ReadonlyMap<string, Span>
}

function clausesRule($: Syntax): Rule<[], Clauses> {
  return $.RULE('sortClauses', (): Clauses => {
    const given: Clauses = {}
    const spans = new Map<string, Span>()
    const set = <K extends keyof Clauses>(name: K, value: Clauses[K], where: Span): void => {
      if (given[name] !== undefined) $.fail(logDiagnostic('repeated-clause', { name }, where))
      given[name] = value
      spans.set(name, where)
    }
    $.many(0, () => {
      const start = $.ACTION(() => $.startOffset())
      $.or(0, [
        {
          ALT: () => {
            $.consume(Offset)
            const count = $.subrule($.rules.count)
            $.ACTION(() => set('offset', count, $.spanFrom(start)))
          },
        },
        {
          ALT: () => {
            $.consume(Limit)
            const count = $.subrule($.rules.count)
            $.ACTION(() => set('limit', count, $.spanFrom(start)))
            $.option(0, {
              GATE: () => $.isNative,
              DEF: () => {
                const ties = $.ACTION(() => $.startOffset())
                $.consume(With)
                $.consume(Ties)
                $.ACTION(() => set('ties', true, $.spanFrom(ties)))
              },
            })
          },
        },
        {
          GATE: () => $.isNative,
          ALT: () => {
            $.consume(After)
            const values = $.subrule($.rules.values)
            $.ACTION(() => set('after', values, $.spanFrom(start)))
          },
        },
        {
          ALT: () => {
            const fields = $.subrule($.rules.partition)
            $.ACTION(() => set('partition', fields, $.spanFrom(start)))
          },
        },
        {
          ALT: () => {
            const rank = $.subrule($.rules.rank)
            $.ACTION(() => set('rank', rank, $.spanFrom(start)))
          },
        },
      ])
    })
    return { ...given, spans }
  })
}

function checkSort($: Syntax, pipe: SortPipe, name: Span, spans: ReadonlyMap<string, Span>): SortPipe {
  const at = (clause: string): Span => spans.get(clause) ?? pipe.span
  if ($.isNative && pipe.keys.length === 0) {
    $.fail(logDiagnostic('missing-keys', { what: 'sort', example: 'sort by (_time desc)' }, name))
  }
  if (pipe.partitionBy.length > 0 && pipe.limit === undefined) {
    $.fail(logDiagnostic('missing-clause', { what: 'sort … partition by', clause: 'limit' }, at('partition')))
  }
  if (pipe.after.length > 0 && pipe.after.length !== pipe.keys.length) {
    const count = pipe.keys.length
    $.fail(
      logDiagnostic(
        'wrong-argument-count',
        { name: 'after', min: count, max: count, count: pipe.after.length },
        at('after'),
      ),
    )
  }
  if (pipe.hasTies && pipe.partitionBy.length > 0) {
    $.fail(logDiagnostic('clashing-clauses', { one: 'with ties', other: 'partition by' }, at('ties')))
  }
  return pipe
}

/** Returns the filter for rows that sort after the values of `after`. */
function afterFilter(pipe: SortPipe, keys: readonly SortKey[], input: LogicalPlan, context: LowerContext): LogicalPlan {
  if (pipe.after.length === 0) return input
  const origin = context.at(pipe.span)
  const args = keys.flatMap((key, i) => [
    key.expr,
    literal(present(pipe.after[i]).text, origin),
    literal(key.direction, origin),
  ])
  return { kind: 'filter', input, predicate: call('sorts_after', args, origin), origin }
}

/**
 * Returns a plan that keeps the first rows of the sort, and all further rows whose keys equal those of the last kept
 * row.
 */
function withTies(pipe: SortPipe, sorted: LogicalPlan, context: LowerContext): LogicalPlan {
  const keys = pipe.keys.map(({ field }) => context.name(field))
  return {
    kind: 'table-apply',
    input: sorted,
    fn: 'limit_ties',
    params: { offset: pipe.offset ?? 0, limit: pipe.limit ?? 0, keys },
    use: { reads: named(...keys), writes: [], replaces: [] },
    outputs: [],
    keepsInputFields: true,
    origin: context.at(pipe.span),
  }
}

export const sort = definePipe({
  kind: 'sort',
  names: ['sort', 'order'],
  rule: ($) => {
    const clauses = clausesRule($)
    return $.RULE('sortPipe', (): SortPipe => {
      const start = $.ACTION(() => $.startOffset())
      const name = $.or(0, [{ ALT: () => $.consume(Sort) }, { ALT: () => $.consume(Order) }])
      $.ACTION(() => {
        const isPlain = $.isNextOneOf([Limit, Offset, Partition, Rank, ...directions])
        if (!isPlain && !$.isNext(By)) expectParentheses($)
      })
      const keys = readBy($, $.rules.sortFields, $.rules.sortKeys)
      const direction = $.option(2, () => $.or(1, [{ ALT: () => $.consume(Asc) }, { ALT: () => $.consume(Desc) }]))
      const given = $.subrule(clauses)
      return $.ACTION(() => {
        const pipe: SortPipe = {
          kind: 'sort',
          keys: keys ?? [],
          isReversed: direction?.tokenType === Desc,
          offset: given.offset,
          // In LogsQL, `limit 0` of a sort means unlimited.
          limit: given.limit === 0 && !$.isNative ? undefined : given.limit,
          partitionBy: given.partition ?? [],
          rank: given.rank,
          hasTies: given.ties === true,
          after: given.after ?? [],
          span: $.spanFrom(start),
        }
        return checkSort($, pipe, $.tokenSpan(name), given.spans ?? new Map())
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
    if (pipe.hasTies) text += ' with ties'
    if (pipe.after.length > 0) text += ` after (${pipe.after.map((value) => printer.text(value.text)).join(', ')})`
    if (pipe.rank !== undefined) text += ` rank${pipe.rank.parts[0] === 'rank' ? '' : printer.as(pipe.rank)}`
    return text
  },
  lower: (pipe, input, context) => {
    const origin = context.at(pipe.span)
    const written = sortKeys(pipe.keys, context)
    const turnedKeys = written.length === 0 ? [allFields('desc', origin)] : written.map(turned)
    const keys = pipe.isReversed ? turnedKeys : written
    const rankName = pipe.rank === undefined ? undefined : context.name(pipe.rank)
    const partitionBy = pipe.partitionBy.map((field) => column(context.name(field), context.at(field.span)))
    const sorted: LogicalPlan = {
      kind: 'sort',
      input: afterFilter(pipe, keys, input, context),
      keys: withPartitions(keys, partitionBy, pipe.isReversed ? 'desc' : 'asc', context),
      offset: pipe.hasTies ? 0 : (pipe.offset ?? 0),
      limit: pipe.hasTies ? undefined : pipe.limit,
      partitionBy,
      rankName,
      origin,
    }
    return pipe.hasTies ? withTies(pipe, sorted, context) : sorted
  },
  doc: {
    summary:
      'Orders rows by fields: numbers by value, then times, then texts. NaN is behind the numbers, and missing values are last, in both directions.',
    form: 'sort by (field [asc|desc], …) [partition by (field, …)] [offset count] [limit count [with ties]] [after (value, …)] [rank [as name]]',
    examples: [
      { query: 'level:error | sort by (duration_ms desc) | limit 100', text: 'the slowest errors' },
      {
        query: '* | sort by (duration_ms desc) partition by (workload) limit 3',
        text: 'the three slowest of each workload',
      },
      {
        query: '* | stats by (workload) count() as n | sort by (n desc) limit 10 with ties',
        text: 'ten workloads and those equal to the tenth',
        dialect: 'native',
      },
      {
        query: '* | sort by (_time desc, pod) after ("2026-01-31T10:20:30Z", "shop-1") limit 100',
        text: 'the page that follows a known last row',
        dialect: 'native',
      },
    ],
  },
})
