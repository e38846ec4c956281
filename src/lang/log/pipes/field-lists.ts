import type { Span } from '../../../base/index.ts'
import { field as schemaField } from '../../../data/index.ts'
import { MAX_FACET_CHARS, MAX_FACET_VALUES } from '../../../functions/index.ts'
import type { FieldRef, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { DEFAULT_COUNT, anyField, named, readInto, readLimit } from './parts.ts'
import { freeName } from './uniq.ts'

/** Pipe that lists the field names, each with the number of rows that have the field. */
export interface FieldNamesPipe {
  readonly kind: 'field_names'
  /** Lists only names that contain this string. */
  readonly containing: TextValue | undefined
  readonly into: FieldRef | undefined
  readonly span: Span
}

/** Pipe that lists the values of a field, each with the number of rows that have the value. */
export interface FieldValuesPipe {
  readonly kind: 'field_values'
  readonly field: FieldRef
  readonly containing: TextValue | undefined
  readonly limit: number | undefined
  readonly span: Span
}

/** Pipe that lists the most frequent values of every field. */
export interface FacetsPipe {
  readonly kind: 'facets'
  readonly limit: number
  readonly maxValuesPerField: number | undefined
  readonly maxValueLength: number | undefined
  readonly keepsConstants: boolean
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    field_names: FieldNamesPipe
    field_values: FieldValuesPipe
    facets: FacetsPipe
  }
}

const FieldNames = t.keyword('field_names')
const FieldValues = t.keyword('field_values')
const Facets = t.keyword('facets')
const FilterWord = t.keyword('filter')
const MaxValues = t.keyword('max_values_per_field')
const MaxLength = t.keyword('max_value_len')
const KeepConst = t.keyword('keep_const_fields')

export const fieldNames = definePipe({
  kind: 'field_names',
  names: ['field_names'],
  rule: ($) =>
    $.RULE('fieldNamesPipe', (): FieldNamesPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(FieldNames)
      const containing = $.option(0, () => {
        $.consume(FilterWord)
        return $.subrule($.rules.text)
      })
      const into = readInto($)
      return { kind: 'field_names', containing, into, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const containing = pipe.containing === undefined ? '' : ` filter ${printer.text(pipe.containing.text)}`
    return `field_names${containing}${pipe.into?.parts[0] === 'name' ? '' : printer.as(pipe.into)}`
  },
  lower: (pipe, input, context) => {
    const into = pipe.into === undefined ? 'name' : context.name(pipe.into)
    const hits = freeName('hits', [into])
    return {
      kind: 'table-apply',
      input,
      fn: 'field_names',
      params: { into, hits, containing: pipe.containing?.text ?? null },
      use: { reads: [anyField], writes: named(into, hits), replaces: [] },
      outputs: [schemaField(into, 'string'), schemaField(hits, 'integer')],
      keepsInputFields: false,
      origin: context.at(pipe.span),
    }
  },
  doc: {
    summary: 'The names of the fields that occur, with the number of rows that have each.',
    form: 'field_names [filter text] [as name]',
    examples: [{ query: '* | field_names | sort by (hits desc)', text: 'which fields there are' }],
  },
})

export const fieldValues = definePipe({
  kind: 'field_values',
  names: ['field_values'],
  rule: ($) =>
    $.RULE('fieldValuesPipe', (): FieldValuesPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(FieldValues)
      const field = $.or(0, [
        {
          ALT: () => {
            $.consume(t.LParen)
            const inner = $.subrule($.rules.field)
            $.consume(t.RParen)
            return inner
          },
        },
        { ALT: () => $.subrule($.rules.field) },
      ])
      const containing = $.option(0, () => {
        $.consume(FilterWord)
        return $.subrule($.rules.text)
      })
      const limit = readLimit($)
      return { kind: 'field_values', field, containing, limit, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const containing = pipe.containing === undefined ? '' : ` filter ${printer.text(pipe.containing.text)}`
    const limit = pipe.limit === undefined || pipe.limit === 0 ? '' : ` limit ${pipe.limit}`
    return `field_values ${printer.field(pipe.field)}${containing}${limit}`
  },
  lower: (pipe, input, context) => {
    const field = context.name(pipe.field)
    const hits = freeName('hits', [field])
    return {
      kind: 'table-apply',
      input,
      fn: 'field_values',
      params: { field, hits, containing: pipe.containing?.text ?? null, limit: pipe.limit ?? 0 },
      use: { reads: named(field), writes: named(field, hits), replaces: [] },
      outputs: [schemaField(field), schemaField(hits, 'integer')],
      keepsInputFields: false,
      origin: context.at(pipe.span),
    }
  },
  doc: {
    summary: 'The values of one field, with the number of rows that have each.',
    form: 'field_values field [filter text] [limit count]',
    examples: [{ query: '* | field_values level', text: 'which levels there are' }],
  },
})

export const facets = definePipe({
  kind: 'facets',
  names: ['facets'],
  rule: ($) =>
    $.RULE('facetsPipe', (): FacetsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Facets)
      const limit = $.option(0, {
        GATE: () => !$.isNextOneOf([MaxValues, MaxLength, KeepConst]),
        DEF: () => $.subrule($.rules.count),
      })
      let maxValuesPerField: number | undefined
      let maxValueLength: number | undefined
      let keepsConstants = false
      $.many(0, () => {
        $.or(0, [
          {
            ALT: () => {
              $.consume(MaxValues)
              maxValuesPerField = $.subrule($.rules.count)
            },
          },
          {
            ALT: () => {
              $.consume(MaxLength)
              maxValueLength = $.subrule($.rules.count)
            },
          },
          {
            ALT: () => {
              $.consume(KeepConst)
              keepsConstants = true
            },
          },
        ])
      })
      return $.ACTION(() => ({
        kind: 'facets',
        limit: limit ?? DEFAULT_COUNT,
        maxValuesPerField,
        maxValueLength,
        keepsConstants,
        span: $.spanFrom(start),
      }))
    }),
  print: (pipe) => {
    let text = 'facets'
    if (pipe.limit !== DEFAULT_COUNT) text += ` ${pipe.limit}`
    if (pipe.maxValuesPerField !== undefined) text += ` max_values_per_field ${pipe.maxValuesPerField}`
    if (pipe.maxValueLength !== undefined) text += ` max_value_len ${pipe.maxValueLength}`
    return text + (pipe.keepsConstants ? ' keep_const_fields' : '')
  },
  lower: (pipe, input, context) => ({
    kind: 'table-apply',
    input,
    fn: 'facets',
    params: {
      limit: pipe.limit,
      maxValuesPerField: pipe.maxValuesPerField ?? MAX_FACET_VALUES,
      maxValueLength: pipe.maxValueLength ?? MAX_FACET_CHARS,
      keepsConstants: pipe.keepsConstants,
    },
    use: { reads: [anyField], writes: named('field_name', 'field_value', 'hits'), replaces: [] },
    outputs: [schemaField('field_name', 'string'), schemaField('field_value'), schemaField('hits', 'integer')],
    keepsInputFields: false,
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'The most frequent values of every field.',
    form: 'facets [count] [max_values_per_field count] [max_value_len count] [keep_const_fields]',
    examples: [{ query: 'level:error | facets 5', text: 'what errors have in common' }],
  },
})
