import type { JsonValue } from '../../../base/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import { checkRegexp } from '../rules/regexp.ts'
import * as t from '../tokens.ts'
import { readAt, readCondition, readLimit } from './parts.ts'
import { applyInPlace, printAt, type InPlace } from './rewrite-field.ts'

interface Replacing extends InPlace {
  readonly old: TextValue
  readonly replacement: TextValue
  readonly limit: number | undefined
}

export interface ReplacePipe extends Replacing {
  readonly kind: 'replace'
}

export interface ReplaceRegexpPipe extends Replacing {
  readonly kind: 'replace_regexp'
}

declare module '../ast.ts' {
  interface PipeKinds {
    replace: ReplacePipe
    replace_regexp: ReplaceRegexpPipe
  }
}

type ReplaceKind = 'replace' | 'replace_regexp'

function replacing<K extends ReplaceKind>(name: K, doc: FeatureDoc): PipeDefinition<K> {
  const kind: ReplaceKind = name
  const type = t.keyword(name)
  return definePipe<ReplaceKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(kind === 'replace' ? 'replacePipe' : 'replaceRegexpPipe', () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(type)
        const condition: Filter | undefined = readCondition($, true)
        $.consume(t.LParen)
        const old = $.subrule($.rules.text)
        $.consume(t.Comma)
        const replacement = $.subrule($.rules.text)
        $.consume(t.RParen)
        const field: FieldRef | undefined = readAt($)
        const limit = readLimit($)
        return $.ACTION(() => {
          if (kind === 'replace_regexp') checkRegexp($, old)
          return { kind, condition, old, replacement, field, limit, span: $.spanFrom(start) }
        })
      }),
    print: (pipe, printer) => {
      const pair = `(${printer.text(pipe.old.text)}, ${printer.text(pipe.replacement.text)})`
      const limit = pipe.limit === undefined || pipe.limit === 0 ? '' : ` limit ${pipe.limit}`
      return `${kind}${printer.condition(pipe.condition)} ${pair}${printAt(pipe, printer)}${limit}`
    },
    lower: (pipe, input, context) => {
      const { limit = 0, old, replacement } = pipe
      const params: { readonly [name: string]: JsonValue } =
        kind === 'replace'
          ? { old: old.text, new: replacement.text, limit }
          : { pattern: old.text, replacement: replacement.text, limit }
      return applyInPlace(kind, pipe, params, input, context)
    },
    doc,
  }) as unknown as PipeDefinition<K>
}

export const replace = replacing('replace', {
  summary: 'Replaces a text by another one.',
  form: 'replace [if (filter)] ("old", "new") [at field] [limit count]',
  examples: [{ query: '* | replace ("secret", "***") at content', text: 'texts without the word' }],
})

export const replaceRegexp = replacing('replace_regexp', {
  summary: 'Replaces what a regular expression matches; `$1` and `${name}` stand for groups.',
  form: 'replace_regexp [if (filter)] ("pattern", "new") [at field] [limit count]',
  examples: [{ query: '* | replace_regexp ("id=([0-9]+)", "id=<$1>") at content', text: 'ids marked' }],
})
