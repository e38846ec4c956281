import type { JsonValue, Span } from '../../../base/index.ts'
import type { LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Filter } from '../ast.ts'
import { definePipe } from '../definition.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import * as t from '../tokens.ts'
import { applyRow, named, readAt, readCondition } from './parts.ts'

/** A pipe that replaces the value of one field. */
export interface InPlace {
  readonly condition: Filter | undefined
  /** Field that is rewritten. Default: the main text field. */
  readonly field: FieldRef | undefined
  readonly span: Span
}

/** Pipe that replaces runs of digits by placeholders. */
export interface CollapseNumsPipe extends InPlace {
  readonly kind: 'collapse_nums'
  readonly isPretty: boolean
}

/** Pipe that removes terminal colour codes. */
export interface DecolorizePipe extends InPlace {
  readonly kind: 'decolorize'
}

declare module '../ast.ts' {
  interface PipeKinds {
    collapse_nums: CollapseNumsPipe
    decolorize: DecolorizePipe
  }
}

/** Prints ` at field`; empty for the main text field. */
export function printAt(pipe: InPlace, printer: Printer): string {
  return printer.isTextField(pipe.field) || pipe.field === undefined ? '' : ` at ${printer.field(pipe.field)}`
}

export function applyInPlace(
  fn: string,
  pipe: InPlace,
  params: { readonly [name: string]: JsonValue },
  input: LogicalPlan,
  context: LowerContext,
): LogicalPlan {
  const field = context.name(pipe.field)
  const { condition, span } = pipe
  return applyRow(
    input,
    { fn, params: { field, ...params }, condition, reads: named(field), outputs: [field], span },
    context,
  )
}

const CollapseNums = t.keyword('collapse_nums')
const Prettify = t.keyword('prettify')
const Decolorize = t.keyword('decolorize')

export const collapseNums = definePipe({
  kind: 'collapse_nums',
  names: ['collapse_nums'],
  rule: ($) =>
    $.RULE('collapseNumsPipe', (): CollapseNumsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(CollapseNums)
      const condition = readCondition($, true)
      const field = readAt($)
      const pretty = $.option(0, () => $.consume(Prettify))
      return { kind: 'collapse_nums', condition, field, isPretty: pretty !== undefined, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) =>
    `collapse_nums${printer.condition(pipe.condition)}${printAt(pipe, printer)}${pipe.isPretty ? ' prettify' : ''}`,
  lower: (pipe, input, context) => applyInPlace('collapse_nums', pipe, { isPretty: pipe.isPretty }, input, context),
  doc: {
    summary: 'Replaces numbers by `<N>`; with `prettify` also ids, addresses and times by their placeholders.',
    form: 'collapse_nums [if (filter)] [at field] [prettify]',
    examples: [{ query: '* | collapse_nums prettify | top 5 by (content)', text: 'the most frequent templates' }],
  },
})

export const decolorize = definePipe({
  kind: 'decolorize',
  names: ['decolorize'],
  rule: ($) =>
    $.RULE('decolorizePipe', (): DecolorizePipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Decolorize)
      const condition = readCondition($, false)
      const field = $.option(0, () => $.subrule($.rules.field))
      return { kind: 'decolorize', condition, field, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const field = pipe.field === undefined || printer.isTextField(pipe.field) ? '' : ` ${printer.field(pipe.field)}`
    return `decolorize${printer.condition(pipe.condition)}${field}`
  },
  lower: (pipe, input, context) => applyInPlace('decolorize', pipe, {}, input, context),
  doc: {
    summary: 'Removes the colour codes of terminals.',
    form: 'decolorize [if (filter)] [field]',
    examples: [{ query: '* | decolorize | limit 10', text: 'plain texts' }],
  },
})
