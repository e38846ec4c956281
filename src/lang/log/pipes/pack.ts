import type { Span } from '../../../base/index.ts'
import { inputs, plainName, type LogicalPlan } from '../../../plan/index.ts'
import type { FieldRef, Filter } from '../ast.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'
import { anyField, applyRow, patternsJson, readCondition, readInto } from './parts.ts'

interface Packing {
  readonly condition: Filter | undefined
  /** Fields to pack; empty for all fields. */
  readonly fields: readonly FieldRef[]
  /** Field that receives the result. Default: the main text field. */
  readonly into: FieldRef | undefined
  readonly span: Span
}

export interface PackJsonPipe extends Packing {
  readonly kind: 'pack_json'
}

export interface PackLogfmtPipe extends Packing {
  readonly kind: 'pack_logfmt'
}

declare module '../ast.ts' {
  interface PipeKinds {
    pack_json: PackJsonPipe
    pack_logfmt: PackLogfmtPipe
  }
}

type PackKind = 'pack_json' | 'pack_logfmt'

const Fields = t.keyword('fields')

/**
 * Returns the settings of `pack` pipes for LogsQL, where all values are strings and rows have every field that the
 * query names. Exception: after `fields` with a star, and for literal rows, each row has only its own fields.
 */
function logsqlForm(kind: PackKind, input: LogicalPlan): Readonly<Record<string, boolean>> {
  return kind === 'pack_json' ? { areTexts: true } : { writesMissing: !isOfAnyForm(input) }
}

function isOfAnyForm(plan: LogicalPlan): boolean {
  if (plan.kind === 'aggregate') return false
  if (plan.kind === 'union') return true
  if (plan.kind === 'project') return plan.fields.some((field) => plainName(field) === undefined)
  const [input] = inputs(plan)
  return input !== undefined && isOfAnyForm(input)
}

function packing<K extends PackKind>(name: K, doc: FeatureDoc): PipeDefinition<K> {
  const kind: PackKind = name
  const type = t.keyword(name)
  return definePipe<PackKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(kind === 'pack_json' ? 'packJsonPipe' : 'packLogfmtPipe', () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(type)
        const condition = readCondition($, false)
        const fields = $.option(0, () => {
          const word = $.consume(Fields)
          const list = $.subrule($.rules.parenFieldPatterns)
          $.ACTION(() => {
            if (list.length > 0) return
            $.fail(
              logDiagnostic('missing-keys', { what: 'fields', example: `${kind} fields (a, b*)` }, $.tokenSpan(word)),
            )
          })
          return list
        })
        const into = readInto($)
        return { kind, condition, fields: fields ?? [], into, span: $.spanFrom(start) }
      }),
    print: (pipe, printer) => {
      const fields = pipe.fields.length === 0 ? '' : ` fields (${printer.fields(pipe.fields)})`
      const into = printer.isTextField(pipe.into) ? '' : printer.as(pipe.into)
      return `${kind}${printer.condition(pipe.condition)}${fields}${into}`
    },
    lower: (pipe, input, context) => {
      const into = context.name(pipe.into)
      const texts = context.dialect === 'logsql' ? logsqlForm(kind, input) : {}
      const patterns = pipe.fields.length === 0 ? [anyField] : pipe.fields.map(context.pattern)
      return applyRow(
        input,
        {
          fn: kind,
          params: { fieldPatterns: pipe.fields.length === 0 ? [['', '']] : patternsJson(pipe.fields), into, ...texts },
          condition: pipe.condition,
          reads: patterns,
          outputs: [into],
          isReplacing: true,
          type: kind === 'pack_json' ? 'json' : 'string',
          span: pipe.span,
        },
        context,
      )
    },
    doc,
  }) as unknown as PipeDefinition<K>
}

export const packJson = packing('pack_json', {
  summary: 'All or some fields of a row as one JSON text.',
  form: 'pack_json [if (filter)] [fields (field, prefix*, …)] [as name]',
  examples: [{ query: '* | pack_json fields (level, workload) as labels', text: 'two fields as one' }],
})

export const packLogfmt = packing('pack_logfmt', {
  summary: 'All or some fields of a row as one logfmt text.',
  form: 'pack_logfmt [if (filter)] [fields (field, prefix*, …)] [as name]',
  examples: [{ query: '* | pack_logfmt as line', text: 'the whole row as one line' }],
})
