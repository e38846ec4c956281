import { compileRegexp, regexpFault } from '../../../base/index.ts'
import { extractFault, fieldsOfPattern, readTextPattern } from '../../../data/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { definePipe, type FeatureDoc, type PipeDefinition } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { warnBackspace } from '../rules/regexp.ts'
import type { Syntax } from '../syntax.ts'
import type { Span } from '../../../base/index.ts'
import * as t from '../tokens.ts'
import {
  applyRow,
  named,
  printOverwriting,
  readCondition,
  readFrom,
  readOverwriting,
  readPipeText,
  type Overwriting,
} from './parts.ts'

interface Extracting extends Overwriting {
  readonly condition: Filter | undefined
  readonly pattern: TextValue
  /** Field that is read. Default: the main text field. */
  readonly from: FieldRef | undefined
  /** Names of the fields that the pipe writes. */
  readonly into: readonly string[]
  readonly span: Span
}

/** Pipe that extracts fields by a pattern of literal text with placeholders between. */
export interface ExtractPipe extends Extracting {
  readonly kind: 'extract'
}

/** Pipe that extracts fields by a regular expression with named groups. */
export interface ExtractRegexpPipe extends Extracting {
  readonly kind: 'extract_regexp'
}

declare module '../ast.ts' {
  interface PipeKinds {
    extract: ExtractPipe
    extract_regexp: ExtractRegexpPipe
  }
}

type ExtractKind = 'extract' | 'extract_regexp'

function fieldsOfText($: Syntax, { text, span }: TextValue): readonly string[] {
  const steps = readTextPattern(text)
  const reason = typeof steps === 'string' ? steps : extractFault(steps)
  if (typeof steps === 'string' || reason !== undefined) {
    return $.fail(logDiagnostic('bad-pattern', { reason: reason ?? '' }, span))
  }
  return fieldsOfPattern(steps)
}

function fieldsOfRegexp($: Syntax, value: TextValue): readonly string[] {
  const { text, span } = value
  const reason = regexpFault(text)
  if (reason !== undefined) $.fail(logDiagnostic('bad-regexp', { reason }, span))
  warnBackspace($, value, true)
  const names = compileRegexp(text, false).groupNames.filter((name) => name !== undefined)
  if (names.length === 0) {
    $.fail(logDiagnostic('bad-pattern', { reason: 'it has no named group, such as `(?P<name>…)`' }, span))
  }
  return names
}

function extracting<K extends ExtractKind>(name: K, doc: FeatureDoc): PipeDefinition<K> {
  const kind: ExtractKind = name
  const type = t.keyword(name)
  return definePipe<ExtractKind>({
    kind,
    names: [kind],
    rule: ($) =>
      $.RULE(kind === 'extract' ? 'extractPipe' : 'extractRegexpPipe', () => {
        const start = $.ACTION(() => $.startOffset())
        $.consume(type)
        const condition = readCondition($, true)
        const pattern = readPipeText($, kind, 'a pattern', kind === 'extract' ? '"<name>"' : '"(?P<name>.+)"')
        const from = readFrom($)
        const overwriting = readOverwriting($)
        return $.ACTION(() => {
          $.checkPattern(pattern.text, pattern.span)
          const into = kind === 'extract' ? fieldsOfText($, pattern) : fieldsOfRegexp($, pattern)
          return { kind, condition, pattern, from, into, ...overwriting, span: $.spanFrom(start) }
        })
      }),
    print: (pipe, printer) => {
      const from = pipe.from === undefined || printer.isTextField(pipe.from) ? '' : ` from ${printer.field(pipe.from)}`
      return `${kind}${printer.condition(pipe.condition)} ${printer.text(pipe.pattern.text)}${from}${printOverwriting(pipe)}`
    },
    lower: (pipe, input, context) => {
      const from = context.name(pipe.from)
      const { condition, pattern, into, keepsOriginal, skipsEmpty, span } = pipe
      const outputs = into.map((name) => context.name({ parts: [name], span: pattern.span }))
      return applyRow(
        input,
        {
          fn: kind,
          params: { from, pattern: pattern.text, keepsOriginal, skipsEmpty },
          condition,
          reads: named(from),
          outputs,
          type: 'string',
          isReplacing: !keepsOriginal && !skipsEmpty,
          span,
        },
        context,
      )
    },
    doc,
  }) as unknown as PipeDefinition<K>
}

export const extract = extracting('extract', {
  summary: 'Takes fields out of a text by a pattern of literal text and placeholders.',
  form: 'extract [if (filter)] "text<field>text" [from field] [keep_original_fields|skip_empty_results]',
  examples: [{ query: '* | extract "user=<user> " from content', text: 'the user as a field of its own' }],
})

export const extractRegexp = extracting('extract_regexp', {
  summary: 'Takes fields out of a text by the named groups of a regular expression.',
  form: 'extract_regexp [if (filter)] "(?P<name>pattern)" [from field] [keep_original_fields|skip_empty_results]',
  examples: [{ query: '* | extract_regexp "attempt (?P<attempt>[0-9]+)"', text: 'the number as a field of its own' }],
})
