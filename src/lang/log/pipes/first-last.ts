import type { Origin, Span } from '../../../base/index.ts'
import { column, type Expr, type SortKey } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import type { LowerContext } from '../lower-context.ts'
import { readBy, refuseZero } from '../rules/lists.ts'
import type { SortField } from '../stats/call.ts'
import { sortKeys } from '../stats/lower.ts'
import { printSortFields } from '../stats/print.ts'
import * as t from '../tokens.ts'

interface Edge {
  readonly count: number
  /** Sort keys; empty for all fields. */
  readonly by: readonly SortField[]
  readonly partitionBy: readonly FieldRef[]
  readonly rank: FieldRef | undefined
  readonly span: Span
}

/** Pipe that keeps the first rows of each partition in a sort order. */
export interface FirstPipe extends Edge {
  readonly kind: 'first'
}

/** Pipe that keeps the last rows of each partition in a sort order. */
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

function edge<K extends EdgeKind>(name: K, doc: FeatureDoc): PipeDefinition<K> {
  const kind: EdgeKind = name
  const type = t.keyword(name)
  return definePipe<EdgeKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(`${kind}Pipe`, () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(type)
        const count = $.option(0, {
          GATE: () => $.isNumberNext(),
          DEF: () => $.subrule($.rules.count),
        })
        $.ACTION(() => refuseZero($, count))
        const by = readBy($, $.rules.sortFields, $.rules.sortKeys)
        const partitionBy = $.option(3, () => $.subrule($.rules.partition))
        const rank = $.option(4, () => $.subrule($.rules.rank))
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
      const isReversed = kind === 'last'
      const keys = isReversed && written.length === 0 ? [allFields('desc', origin)] : written
      const partitionBy = pipe.partitionBy.map((field) => column(context.name(field), context.at(field.span)))
      const sortedBy = isReversed && written.length > 0 ? keys.map(turned) : keys
      return {
        kind: 'sort',
        input,
        keys: withPartitions(sortedBy, partitionBy, isReversed ? 'desc' : 'asc', context),
        offset: 0,
        limit: pipe.count,
        partitionBy,
        rankName,
        origin,
      }
    },
    doc,
  }) as unknown as PipeDefinition<K>
}

/** Returns a sort key over all fields. Needed for descending order, because a sort without keys is ascending. */
export function allFields(direction: SortKey['direction'], origin: Origin): SortKey {
  return { expr: { kind: 'columns', fields: { parts: ['', ''] }, origin }, direction }
}

export function turned(key: SortKey): SortKey {
  return { ...key, direction: key.direction === 'asc' ? 'desc' : 'asc' }
}

/**
 * Returns the sort keys; in LogsQL, the partition keys precede them, in the direction of the sort. The native dialect
 * sorts all rows by the sort keys alone. Both dialects keep the same rows, because partition keys are equal within a
 * partition.
 */
export function withPartitions(
  keys: readonly SortKey[],
  partitionBy: readonly Expr[],
  direction: SortKey['direction'],
  { dialect }: LowerContext,
): readonly SortKey[] {
  const [first] = partitionBy
  if (dialect === 'native' || first === undefined) return keys
  const own = keys.length === 0 ? [allFields(direction, first.origin)] : keys
  return [...partitionBy.map((expr): SortKey => ({ expr, direction })), ...own]
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
