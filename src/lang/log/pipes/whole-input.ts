import { HOUR_NS, parseDurationNs, type Origin, type Span } from '../../../base/index.ts'
import { field as schemaField, type Field } from '../../../data/index.ts'
import { literal, type Expr, type LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, TextValue } from '../ast.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'
import { anyField, named, readInto } from './parts.ts'

/** Pipe that shows how the blocks are stored, to diagnose slow queries. */
export interface BlockStatsPipe {
  readonly kind: 'block_stats'
  readonly span: Span
}

/** Pipe that shows how much data the query has read so far. */
export interface QueryStatsPipe {
  readonly kind: 'query_stats'
  readonly span: Span
}

/** Pipe that shows how many stored blocks were read. */
export interface BlocksCountPipe {
  readonly kind: 'blocks_count'
  readonly into: FieldRef | undefined
  readonly span: Span
}

/** Pipe that adds to each row its neighbours in the same stream. */
export interface StreamContextPipe {
  readonly kind: 'stream_context'
  readonly before: number | undefined
  readonly after: number | undefined
  readonly window: TextValue | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    block_stats: BlockStatsPipe
    query_stats: QueryStatsPipe
    blocks_count: BlocksCountPipe
    stream_context: StreamContextPipe
  }
}

type BareKind = 'block_stats' | 'query_stats'

function bare<K extends BareKind>(
  name: K,
  rule: string,
  outputs: readonly Field[],
  doc: FeatureDoc,
): PipeDefinition<K> {
  const kind: BareKind = name
  const type = t.keyword(name)
  return definePipe<BareKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(rule, () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(type)
        return { kind, span: $.spanFrom(start) }
      }),
    print: () => kind,
    lower: (pipe, input, context) => ({
      kind: 'table-apply',
      input,
      fn: kind,
      params: null,
      use: { reads: [anyField], writes: outputs.flatMap((each) => named(each.name)), replaces: [] },
      outputs,
      keepsInputFields: false,
      origin: context.at(pipe.span),
    }),
    doc,
  }) as unknown as PipeDefinition<K>
}

const integers = (names: readonly string[]): readonly Field[] => names.map((name) => schemaField(name, 'integer'))

const blockColumns: readonly Field[] = [
  schemaField('block', 'integer'),
  schemaField('field', 'string'),
  schemaField('type', 'string'),
  ...integers(['rows', 'missing_rows', 'values_bytes', 'index_bytes', 'dictionary_items', 'dictionary_bytes']),
]

export const blockStats = bare('block_stats', 'blockStatsPipe', blockColumns, {
  summary:
    'One row for each field of each block that has a row that passes: its encoding, rows and bytes. `index_bytes` are what helps to search the field; a dictionary is shared by the blocks of a table. Right behind the filters, on the columnar backend, without a data scope.',
  form: 'block_stats',
  examples: [{ query: '* | block_stats', text: 'how the rows are stored' }],
})

const queryColumns: readonly Field[] = integers([
  'rows_found',
  'rows_scanned',
  'blocks_total',
  'blocks_skipped',
  'blocks_counted',
  'postings_read',
  'bytes_touched',
  'disk_blocks',
  'disk_bytes',
  'cache_parts',
  'cache_bytes',
  'duration_ns',
])

export const queryStats = bare('query_stats', 'queryStatsPipe', queryColumns, {
  summary:
    'One row with what the query until here has read, in place of its rows: blocks are skipped by what is known of them, or counted without a look at rows; postings are rows listed by indexes. Of segments in files, blocks that were read from the disk, and parts that the cache had. On the columnar backend, without a data scope.',
  form: 'query_stats',
  examples: [{ query: 'level:error | query_stats', text: 'what the filter costs' }],
})

const BlocksCount = t.keyword('blocks_count')
const StreamContext = t.keyword('stream_context')
const Before = t.keyword('before')
const After = t.keyword('after')
const TimeWindow = t.keyword('time_window')
/** Name of a temporary column. The NUL character prevents conflicts with names in queries. */
const HIT = '\0hit'

export const blocksCount = definePipe({
  kind: 'blocks_count',
  names: ['blocks_count'],
  rule: ($) =>
    $.RULE('blocksCountPipe', (): BlocksCountPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(BlocksCount)
      const into = readInto($)
      return { kind: 'blocks_count', into, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `blocks_count${pipe.into?.parts[0] === 'blocks_count' ? '' : printer.as(pipe.into)}`,
  lower: (pipe, input, context) => {
    const into = pipe.into === undefined ? 'blocks_count' : context.name(pipe.into)
    return {
      kind: 'table-apply',
      input,
      fn: 'blocks_count',
      params: { into },
      use: { reads: [], writes: named(into), replaces: [] },
      outputs: [schemaField(into, 'integer')],
      keepsInputFields: false,
      origin: context.at(pipe.span),
    }
  },
  doc: {
    summary:
      'How many stored blocks have a row that passes. Right behind the filters, on the columnar backend, without a data scope.',
    form: 'blocks_count [as name]',
    examples: [{ query: '* | blocks_count', text: 'one number' }],
  },
})

/**
 * Replaces the last filter of a plan by a column that marks the matching rows. The filter itself would drop their
 * neighbours. If `isMoved`, the filter lies below a node that shifts the times, and is replaced there.
 */
function markHits(input: LogicalPlan, origin: Origin, isMoved: boolean): LogicalPlan {
  if (isMoved && input.kind === 'apply' && input.input.kind === 'filter')
    return { ...input, input: markHits(input.input, origin, false) }
  const [source, hit]: readonly [LogicalPlan, Expr] =
    input.kind === 'filter' ? [input.input, input.predicate] : [input, literal(true, origin)]
  return { kind: 'extend', input: source, assignments: [{ name: HIT, expr: hit, type: 'bool' }], origin }
}

export const streamContext = definePipe({
  kind: 'stream_context',
  names: ['stream_context'],
  rule: ($) =>
    $.RULE('streamContextPipe', (): StreamContextPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(StreamContext)
      let before: number | undefined
      let after: number | undefined
      $.many(0, () => {
        $.or(0, [
          {
            ALT: () => {
              $.consume(Before)
              before = $.subrule($.rules.count)
            },
          },
          {
            ALT: () => {
              $.consume(After)
              after = $.subrule($.rules.count)
            },
          },
        ])
      })
      const window = $.option(0, () => {
        $.consume(TimeWindow)
        return $.subrule($.rules.duration)
      })
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        if (before === undefined && after === undefined) {
          $.fail(logDiagnostic('missing-clause', { what: 'stream_context', clause: 'before N` or `after N' }, where))
        }
        return { kind: 'stream_context', before, after, window, span: where }
      })
    }),
  print: (pipe) => {
    let text = 'stream_context'
    if (pipe.before !== undefined && pipe.before > 0) text += ` before ${pipe.before}`
    if (pipe.after !== undefined && pipe.after > 0) text += ` after ${pipe.after}`
    if (text === 'stream_context') text += ' before 0'
    return text + (pipe.window === undefined ? '' : ` time_window ${pipe.window.text}`)
  },
  lower: (pipe, input, context) => {
    const origin = context.at(pipe.span)
    const marked = markHits(input, origin, context.timeOffsetNs !== 0n)
    const around: LogicalPlan = {
      kind: 'table-apply',
      input: marked,
      fn: 'stream_context',
      params: {
        before: pipe.before ?? 0,
        after: pipe.after ?? 0,
        windowNs: String(pipe.window === undefined ? HOUR_NS : (parseDurationNs(pipe.window.text) ?? 0n)),
        hit: HIT,
        endsWithDelimiter: context.dialect === 'logsql',
        timeField: '_time',
        textField: context.name(undefined),
      },
      // Binding (the step that resolves names) adds the stream fields to `reads`.
      use: { reads: named('_time', '_stream_id', HIT), writes: named('_time', context.name(undefined)), replaces: [] },
      outputs: [],
      keepsInputFields: true,
      origin,
    }
    return { kind: 'drop', input: around, fields: [{ parts: [HIT] }], origin }
  },
  doc: {
    summary: 'The rows before and after each row in its stream.',
    form: 'stream_context [before count] [after count] [time_window duration]',
    examples: [{ query: 'panic | stream_context before 5 after 10', text: 'what led to it and what followed' }],
  },
})
