import type { Span } from '../../../base/index.ts'
import { field as schemaField } from '../../../data/index.ts'
import { column, type LogicalPlan, type SortKey } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import type { LowerContext } from '../lower-context.ts'
import type { SortField } from '../stats/call.ts'
import { sortKeys } from '../stats/lower.ts'
import { printSortFields } from '../stats/print.ts'
import * as t from '../tokens.ts'
import { anyField, named } from './parts.ts'

interface Edge {
  readonly count: number
  /** All fields when empty. */
  readonly by: readonly SortField[]
  readonly partitionBy: readonly FieldRef[]
  readonly rank: FieldRef | undefined
  readonly span: Span
}

/** The first rows in an order, of each partition. */
export interface FirstPipe extends Edge {
  readonly kind: 'first'
}

/** The last ones. */
export interface LastPipe extends Edge {
  readonly kind: 'last'
}

declare module '../ast.ts' {
  interface PipeKinds {
    first: FirstPipe
    last: LastPipe
  }
}

type EdgeKind = 'first' | 'last'

const By = t.keyword('by')

function edge<K extends EdgeKind>(name: K, doc: FeatureDoc): PipeDefinition<K> {
  const kind: EdgeKind = name
  const type = t.keyword(name)
  return definePipe<EdgeKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(`${kind}Pipe`, () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(0, type)
        const count = $.option(0, {
          GATE: () => /^\d/.test($.next().image),
          DEF: () => $.subrule(0, $.rules.count),
        })
        const by = $.option(1, {
          GATE: () => $.isNext(By) || $.isNext(t.LParen),
          DEF: () => {
            $.option(2, () => $.consume(0, By))
            return $.subrule(0, $.rules.sortFields)
          },
        })
        const partitionBy = $.option(3, () => $.subrule(0, $.rules.partition))
        const rank = $.option(4, () => $.subrule(0, $.rules.rank))
        return {
          kind,
          count: count ?? 1,
          by: by ?? [],
          partitionBy: partitionBy ?? [],
          rank,
          span: $.spanFrom(start),
        }
      }),
    print: (pipe, printer) => {
      let text: string = kind
      if (pipe.count !== 1) text += ` ${pipe.count}`
      if (pipe.by.length > 0) text += ` by (${printSortFields(pipe.by, printer)})`
      if (pipe.partitionBy.length > 0) text += ` partition by (${printer.fields(pipe.partitionBy)})`
      if (pipe.rank !== undefined) text += ` rank${pipe.rank.parts[0] === 'rank' ? '' : printer.as(pipe.rank)}`
      return text
    },
    lower: (pipe, input, context) => {
      const origin = context.at(pipe.span)
      const written = sortKeys(pipe.by, context)
      const rankName = pipe.rank === undefined ? undefined : context.name(pipe.rank)
      const { count, partitionBy, span } = pipe
      if (written.length === 0 && kind === 'last') {
        return reversedByAll(input, { offset: 0, limit: count, partitionBy, rankName, span }, context)
      }
      return {
        kind: 'sort',
        input,
        keys: kind === 'first' ? written : written.map(turned),
        offset: 0,
        limit: count,
        partitionBy: partitionBy.map((field) => column(context.name(field), context.at(field.span))),
        rankName,
        origin,
      }
    },
    doc,
  }) as unknown as PipeDefinition<K>
}

interface Page {
  readonly offset: number
  readonly limit: number | undefined
  readonly partitionBy: readonly FieldRef[]
  readonly rankName: string | undefined
  readonly span: Span
}

/** Rows by all fields backwards; a sort without keys can only say forwards. */
export function reversedByAll(input: LogicalPlan, page: Page, context: LowerContext): LogicalPlan {
  const { offset, limit, rankName, span } = page
  const partitionBy = page.partitionBy.map(context.name)
  return {
    kind: 'table-apply',
    input,
    fn: 'sort_all_desc',
    params: { offset, limit: limit ?? null, partitionBy, rank: rankName ?? null },
    use: { reads: [anyField], writes: rankName === undefined ? [] : named(rankName), replaces: [] },
    outputs: rankName === undefined ? [] : [schemaField(rankName, 'integer')],
    keepsInputFields: true,
    origin: context.at(span),
  }
}

export function turned(key: SortKey): SortKey {
  return { ...key, direction: key.direction === 'asc' ? 'desc' : 'asc' }
}

export const first = edge('first', {
  summary: 'The first rows in an order, of each partition.',
  form: 'first [count] by (field [desc], …) [partition by (field, …)] [rank [as name]]',
  examples: [
    { query: '* | first 3 by (duration_ms) partition by (workload)', text: 'the three fastest of each workload' },
  ],
})

export const last = edge('last', {
  summary: 'The last rows in an order, of each partition.',
  form: 'last [count] by (field [desc], …) [partition by (field, …)] [rank [as name]]',
  examples: [{ query: '* | last 10 by (duration_ms)', text: 'the ten slowest' }],
})
