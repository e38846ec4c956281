import { assertNever, type Span } from '../../../base/index.ts'
import { noCounterpart, type FieldRef, type Filter, type Pipe } from '../../log/index.ts'
import type { LabelChoice, Stage } from '../ast.ts'
import type { Conversion } from './conversion.ts'
import { conditionFilter, lineFilter } from './filters.ts'

const UNPACKING = {
  from: undefined,
  condition: undefined,
  prefix: '',
  keepsOriginal: false,
  skipsEmpty: false,
} as const
const EXTRACTING = { from: undefined, condition: undefined, keepsOriginal: false, skipsEmpty: false } as const

/**
 * Converts a template such as `{{.a}} text` to `<a> text`. Throws for templates that contain more than text and labels.
 */
function formatOf(template: string, span: Span, conversion: Conversion): string {
  return template.replaceAll(/\{\{\s*(.*?)\s*\}\}|[^{<>&]+|[^]/gs, (part, action: string | undefined) => {
    if (action === '__line__') return `<${conversion.line(span).parts[0]}>`
    const [, label] = /^\.(\w+)$/.exec(action ?? '') ?? []
    if (label !== undefined) return `<${conversion.field(label, span).parts[0]}>`
    if (action === undefined && !'<>&{'.includes(part)) return part
    return noCounterpart(
      span,
      action === undefined ? `\`${part}\` in a template` : `\`${part}\``,
      'The pipe `format` puts fields and text together; other pipes, such as `replace` and `math`, change them before.',
    )
  })
}

function formatPipe(template: string, into: FieldRef, span: Span, conversion: Conversion): Pipe {
  const pattern = { text: formatOf(template, span, conversion), isQuoted: true, span }
  const results = [{ cases: [{ filter: undefined, pattern }], isSwitch: false, into, span }]
  return { kind: 'format', condition: undefined, results, keepsOriginal: false, skipsEmpty: false, span }
}

function chosenFields(labels: readonly LabelChoice[], span: Span, conversion: Conversion): readonly FieldRef[] {
  return labels.map(({ label, matcher }) =>
    matcher === undefined
      ? conversion.field(label, span)
      : noCounterpart(span, `\`${label}\` with a condition in drop and keep`, 'Filter, or drop the label in any case.'),
  )
}

function refuseExtractions(kind: string, labels: readonly unknown[], span: Span): void {
  if (labels.length > 0)
    noCounterpart(span, `\`${kind}\` with chosen labels`, `Write \`| ${kind}\`, and name the fields behind it.`)
}

/** A stage converted to pipes, or to a filter, which may also be placed before all pipes. */
export type ConvertedStage = { readonly filter: Filter } | { readonly pipes: readonly Pipe[] }

export function convertStage(stage: Stage, conversion: Conversion): ConvertedStage {
  const { span } = stage
  switch (stage.kind) {
    case 'line-filter': {
      const filter = lineFilter(stage, conversion)
      return filter === undefined ? { pipes: [] } : { filter }
    }
    case 'label-filter':
      return { filter: conditionFilter(stage.condition, conversion) }
    case 'json':
      refuseExtractions('json', stage.extractions, span)
      conversion.note('A member of an object inside is named `a.b`, not `a_b`; a list stays one text.')
      conversion.note('A parsed field replaces one of its name; LogQL calls it `NAME_extracted`.')
      return { pipes: [{ kind: 'unpack_json', ...UNPACKING, fields: [], preserveKeys: [], span }] }
    case 'logfmt':
      refuseExtractions('logfmt', stage.extractions, span)
      conversion.note('A parsed field replaces one of its name; LogQL calls it `NAME_extracted`.')
      return { pipes: [{ kind: 'unpack_logfmt', ...UNPACKING, fields: [], span }] }
    case 'pattern': {
      const into = [...stage.pattern.matchAll(/<(\w+)>/g)].flatMap(([, name = '_']) => (name === '_' ? [] : [name]))
      const pattern = { text: stage.pattern, isQuoted: true, span }
      return { pipes: [{ kind: 'extract', ...EXTRACTING, pattern, into, span }] }
    }
    case 'regexp': {
      const into = [...stage.regexp.matchAll(/\(\?P?<(\w+)>/g)].map(([, name = '']) => name)
      const pattern = { text: stage.regexp, isQuoted: true, span }
      return { pipes: [{ kind: 'extract_regexp', ...EXTRACTING, pattern, into, span }] }
    }
    case 'line-format':
      return { pipes: [formatPipe(stage.template, conversion.line(span), span, conversion)] }
    case 'label-format':
      return {
        pipes: stage.parts.map(({ label, from }): Pipe => {
          const into = conversion.field(label, span)
          if (from.kind === 'template') return formatPipe(from.value, into, span, conversion)
          return { kind: 'rename', steps: [{ from: conversion.field(from.value, span), to: into }], span }
        }),
      }
    case 'decolorize':
      return { pipes: [{ kind: 'decolorize', field: conversion.line(span), condition: undefined, span }] }
    case 'drop':
      return { pipes: [{ kind: 'delete', fields: chosenFields(stage.labels, span, conversion), span }] }
    case 'keep': {
      const { timeField } = conversion.table
      const own: readonly FieldRef[] = [{ parts: [timeField], span }, conversion.line(span)]
      return { pipes: [{ kind: 'fields', fields: [...own, ...chosenFields(stage.labels, span, conversion)], span }] }
    }
    case 'unpack':
      return noCounterpart(span, '`unpack`', 'Use `| json` if the line is an object of texts.')
    default:
      return assertNever(stage)
  }
}
