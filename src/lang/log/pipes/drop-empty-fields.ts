import type { Span } from '../../../base/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import type { Filter } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { anyField, applyRow, readCondition } from './parts.ts'

export interface DropEmptyFieldsPipe {
  readonly kind: 'drop_empty_fields'
  readonly condition: Filter | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    drop_empty_fields: DropEmptyFieldsPipe
  }
}

const Name = t.keyword('drop_empty_fields')

/** True if the rows of a plan are stored rows with all their fields. */
function areStored(plan: LogicalPlan): boolean {
  return plan.kind === 'filter' ? areStored(plan.input) : plan.kind === 'scan'
}

export const dropEmptyFields = definePipe({
  kind: 'drop_empty_fields',
  names: ['drop_empty_fields'],
  rule: ($) =>
    $.RULE('dropEmptyFieldsPipe', (): DropEmptyFieldsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const condition = readCondition($, false)
      return { kind: 'drop_empty_fields', condition, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `drop_empty_fields${printer.condition(pipe.condition)}`,
  lower: (pipe, input, context) => {
    // A stored row always has a time, so it never becomes empty. Each field can then be dropped without reading the
    // others.
    const keepsRows = areStored(input)
    return applyRow(
      input,
      {
        fn: 'drop_empty_fields',
        params: { keepsRows },
        condition: pipe.condition,
        reads: keepsRows ? [] : [anyField],
        writes: [anyField],
        outputs: [],
        isOneToOne: keepsRows,
        span: pipe.span,
      },
      context,
    )
  },
  doc: {
    summary: 'Removes empty fields, and rows that have no others.',
    form: 'drop_empty_fields',
    examples: [{ query: '* | extract "user=<user> " | drop_empty_fields', text: 'rows without empty results' }],
  },
})
