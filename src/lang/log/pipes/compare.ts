import type { Span } from '../../../base/index.ts'
import { field as schemaField } from '../../../data/index.ts'
import type { Filter } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { DEFAULT_COUNT, anyField, named } from './parts.ts'

/** Pipe that lists the values by which the rows that match a filter differ from all other rows. */
export interface ComparePipe {
  readonly kind: 'compare'
  readonly filter: Filter
  readonly count: number
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    compare: ComparePipe
  }
}

const Name = t.keyword('compare')

/** Name of a temporary column. The NUL character prevents conflicts with names in queries. */
const MARK = '\0compared'

const outputs = [
  schemaField('field_name', 'string'),
  schemaField('field_value', 'any'),
  schemaField('hits', 'integer'),
  schemaField('share', 'number'),
  schemaField('others', 'integer'),
  schemaField('share_others', 'number'),
  schemaField('lift', 'number'),
]

export const compare = definePipe({
  kind: 'compare',
  names: ['compare'],
  isNativeOnly: true,
  rule: ($) =>
    $.RULE('comparePipe', (): ComparePipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const filter = $.subrule($.rules.parenFilter)
      const count = $.option(0, { GATE: () => $.isNumberNext(), DEF: () => $.subrule($.rules.count) })
      return { kind: 'compare', filter, count: count ?? DEFAULT_COUNT, span: $.spanFrom(start) }
    }),
  print: ({ filter, count }, printer) =>
    `compare (${printer.filter(filter)})${count === DEFAULT_COUNT ? '' : ` ${count}`}`,
  lower: ({ filter, count, span }, input, context) => {
    const origin = context.at(span)
    return {
      kind: 'table-apply',
      input: {
        kind: 'extend',
        input,
        assignments: [{ name: MARK, expr: context.filter(filter), type: 'bool' }],
        origin,
      },
      fn: 'compare',
      params: { limit: count, mark: MARK },
      use: { reads: [anyField], writes: outputs.flatMap(({ name }) => named(name)), replaces: [] },
      outputs,
      keepsInputFields: false,
      origin,
    }
  },
  doc: {
    summary:
      'The values that are more frequent in the rows of a filter than in the other rows: what errors, slow requests or the last ten minutes have in common. `share` and `share_others` are shares of the rows of both sides, `lift` is their ratio. The largest difference comes first.',
    form: 'compare (filters) [count]',
    examples: [
      { query: '* | compare (level:error) 20', text: 'what the errors have in common', dialect: 'native' },
      {
        query: '_time:1h | compare (_time:10m)',
        text: 'what is new in the last ten minutes',
        dialect: 'native',
      },
    ],
  },
})
