import type { Span } from '../../../base/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'
import { applyRow, patternsJson, readCondition, readInto } from './parts.ts'

/** Pipe that returns the first non-empty value of several fields. */
export interface CoalescePipe {
  readonly kind: 'coalesce'
  readonly condition: Filter | undefined
  readonly fields: readonly FieldRef[]
  readonly otherwise: TextValue | undefined
  readonly into: FieldRef | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    coalesce: CoalescePipe
  }
}

const Name = t.keyword('coalesce')
const Default = t.keyword('default')

export const coalesce = definePipe({
  kind: 'coalesce',
  names: ['coalesce'],
  rule: ($) =>
    $.RULE('coalescePipe', (): CoalescePipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const condition = readCondition($, false)
      const fields = $.subrule($.rules.parenFieldPatterns)
      const otherwise = $.option(0, () => {
        $.consume(Default)
        return $.subrule($.rules.text)
      })
      const into = readInto($)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        if (fields.length === 0) {
          $.fail(logDiagnostic('missing-keys', { what: 'coalesce', example: 'coalesce(user, client) as who' }, where))
        }
        return { kind: 'coalesce', condition, fields, otherwise, into, span: where }
      })
    }),
  print: (pipe, printer) => {
    const otherwise = pipe.otherwise === undefined ? '' : ` default ${printer.text(pipe.otherwise.text)}`
    const into = printer.isTextField(pipe.into) ? '' : printer.as(pipe.into)
    const condition = pipe.condition === undefined ? '' : `${printer.condition(pipe.condition)} `
    return `coalesce${condition}(${printer.fields(pipe.fields)})${otherwise}${into}`
  },
  lower: (pipe, input, context) => {
    const into = context.name(pipe.into)
    return applyRow(
      input,
      {
        fn: 'coalesce',
        params: { fieldPatterns: patternsJson(pipe.fields), default: pipe.otherwise?.text ?? '', into },
        condition: pipe.condition,
        reads: pipe.fields.map(context.pattern),
        outputs: [into],
        isReplacing: true,
        span: pipe.span,
      },
      context,
    )
  },
  doc: {
    summary: 'The first of some fields that is not empty.',
    form: 'coalesce [if (filter)] (field, prefix*, …) [default text] [as name]',
    examples: [{ query: '* | coalesce(user, client) default "?" as who', text: 'one name for several fields' }],
  },
})
