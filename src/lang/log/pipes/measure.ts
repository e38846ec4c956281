import type { Span } from '../../../base/index.ts'
import type { FieldRef, Filter } from '../ast.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import * as t from '../tokens.ts'
import { applyRow, named, readCondition, readInto } from './parts.ts'

/** A pipe that computes one value from one field. */
export interface Measure {
  readonly condition: Filter | undefined
  readonly field: FieldRef
  readonly into: FieldRef | undefined
  readonly span: Span
}

export interface LenPipe extends Measure {
  readonly kind: 'len'
}

export interface JsonArrayLenPipe extends Measure {
  readonly kind: 'json_array_len'
}

declare module '../ast.ts' {
  interface PipeKinds {
    len: LenPipe
    json_array_len: JsonArrayLenPipe
  }
}

type MeasureKind = 'hash' | 'len' | 'json_array_len'

export function measure<K extends MeasureKind>(name: K, doc: FeatureDoc): PipeDefinition<K> {
  const kind: MeasureKind = name
  const type = t.keyword(name)
  return definePipe<MeasureKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(`${kind}Pipe`, () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(type)
        const condition = readCondition($, false)
        const field = $.or(0, [
          {
            ALT: () => {
              $.consume(t.LParen)
              const inner = $.subrule($.rules.field)
              $.option(0, () => $.consume(t.Comma))
              $.consume(t.RParen)
              return inner
            },
          },
          { ALT: () => $.subrule($.rules.field) },
        ])
        const into = readInto($)
        return { kind, condition, field, into, span: $.spanFrom(start) }
      }),
    print: (pipe, printer) => {
      const into = printer.isTextField(pipe.into) ? '' : printer.as(pipe.into)
      const condition = pipe.condition === undefined ? '' : `${printer.condition(pipe.condition)} `
      return `${kind}${condition}(${printer.field(pipe.field)})${into}`
    },
    lower: (pipe, input, context) => {
      const [field, into] = [context.name(pipe.field), context.name(pipe.into)]
      return applyRow(
        input,
        {
          fn: kind,
          params: { field, into },
          condition: pipe.condition,
          reads: named(field),
          outputs: [into],
          type: 'integer',
          isReplacing: true,
          span: pipe.span,
        },
        context,
      )
    },
    doc,
  }) as unknown as PipeDefinition<K>
}

export const len = measure('len', {
  summary: 'The length of a field in bytes.',
  form: 'len [if (filter)] (field) [as name]',
  examples: [{ query: '* | len(content) as bytes | sort by (bytes desc) | limit 10', text: 'the longest texts' }],
})

export const jsonArrayLen = measure('json_array_len', {
  summary: 'The number of items of a JSON array.',
  form: 'json_array_len [if (filter)] (field) [as name]',
  examples: [{ query: '* | json_array_len(tags) as n', text: 'how many tags each row has' }],
})
