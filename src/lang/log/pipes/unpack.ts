import { parseDurationNs, type JsonValue, type Span } from '../../../base/index.ts'
import type { FieldPattern } from '../../../plan/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import {
  anyField,
  applyRow,
  named,
  overwritingWords,
  patternsJson,
  printOverwriting,
  readBareFrom,
  readCondition,
  readOverwriting,
  readPrefix,
  type Overwriting,
} from './parts.ts'

interface Unpacking extends Overwriting {
  readonly condition: Filter | undefined
  /** Field that is read. Default: the main text field. */
  readonly from: FieldRef | undefined
  readonly prefix: string
  readonly span: Span
}

/** Pipe that converts the members of a JSON object to fields. */
export interface UnpackJsonPipe extends Unpacking {
  readonly kind: 'unpack_json'
  /** Fields to unpack; empty for all. */
  readonly fields: readonly FieldRef[]
  /** Names of members that stay JSON text if they are objects. */
  readonly preserveKeys: readonly string[]
}

/** Pipe that converts `key=value` pairs to fields. */
export interface UnpackLogfmtPipe extends Unpacking {
  readonly kind: 'unpack_logfmt'
  readonly fields: readonly FieldRef[]
}

/** Pipe that converts the parts of a syslog line to fields. */
export interface UnpackSyslogPipe extends Unpacking {
  readonly kind: 'unpack_syslog'
  readonly offset: TextValue | undefined
}

declare module '../ast.ts' {
  interface PipeKinds {
    unpack_json: UnpackJsonPipe
    unpack_logfmt: UnpackLogfmtPipe
    unpack_syslog: UnpackSyslogPipe
  }
}

const UnpackJson = t.keyword('unpack_json')
const UnpackLogfmt = t.keyword('unpack_logfmt')
const UnpackSyslog = t.keyword('unpack_syslog')
const Fields = t.keyword('fields')
const PreserveKeys = t.keyword('preserve_keys')
const Offset = t.keyword('offset')
const Prefix = t.keyword('result_prefix')
const If = t.keyword('if')

const following = [Fields, PreserveKeys, Offset, Prefix, If, ...overwritingWords]

function readFields($: Syntax): readonly FieldRef[] {
  const fields = $.option(0, () => {
    $.consume(Fields)
    return $.subrule($.rules.parenFieldPatterns)
  })
  return $.ACTION(() => fields ?? [])
}

function printFrom(pipe: Unpacking, printer: Printer): string {
  const from = pipe.from === undefined || printer.isTextField(pipe.from) ? '' : ` from ${printer.field(pipe.from)}`
  return printer.condition(pipe.condition) + from
}

function printFields(fields: readonly FieldRef[], printer: Printer): string {
  return fields.length === 0 ? '' : ` fields (${printer.fields(fields)})`
}

function printTail(pipe: Unpacking, printer: Printer): string {
  return (pipe.prefix === '' ? '' : ` result_prefix ${printer.text(pipe.prefix)}`) + printOverwriting(pipe)
}

/** Returns the pattern of output names: the pattern of unpacked fields, with the prefix in front. */
function prefixed(pattern: FieldPattern, prefix: string): FieldPattern {
  const [first, ...rest] = pattern.parts
  return { parts: [prefix + first, ...rest] }
}

/** Returns the field that receives a value without a name: the main text field if the pipe reads it, else none. */
function namelessOf({ from }: Unpacking, { printer, name }: LowerContext): { readonly nameless?: string } {
  return from === undefined || printer.isTextField(from) ? { nameless: name(from) } : {}
}

function unpackNode(
  input: Parameters<typeof applyRow>[0],
  pipe: UnpackJsonPipe | UnpackLogfmtPipe | UnpackSyslogPipe,
  params: { readonly [name: string]: JsonValue },
  context: LowerContext,
): ReturnType<typeof applyRow> {
  const from = context.name(pipe.from)
  const { prefix, keepsOriginal, skipsEmpty, condition, span } = pipe
  const fields = pipe.kind === 'unpack_syslog' ? [] : pipe.fields.map(context.pattern)
  const written = (fields.length === 0 ? [anyField] : fields).map((pattern) => prefixed(pattern, prefix))
  const outputs = written.flatMap(({ parts }) => (parts.length === 1 ? parts : []))
  const patterns = written.filter(({ parts }) => parts.length > 1)
  return applyRow(
    input,
    {
      fn: pipe.kind,
      params: { from, ...params, prefix, keepsOriginal, ...(pipe.kind === 'unpack_syslog' ? {} : { skipsEmpty }) },
      condition,
      reads: named(from),
      writes: patterns,
      outputs,
      isReplacing: !keepsOriginal && !skipsEmpty,
      span,
    },
    context,
  )
}

export const unpackJson = definePipe({
  kind: 'unpack_json',
  names: ['unpack_json'],
  rule: ($) =>
    $.RULE('unpackJsonPipe', (): UnpackJsonPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(UnpackJson)
      const condition = readCondition($, true)
      const from = readBareFrom($, following)
      const fields = readFields($)
      const keys = $.option(1, () => {
        $.consume(PreserveKeys)
        return $.subrule($.rules.parenFields)
      })
      const prefix = readPrefix($)
      const overwriting = readOverwriting($)
      return $.ACTION(() => ({
        kind: 'unpack_json',
        condition,
        from,
        fields,
        preserveKeys: (keys ?? []).map(({ parts }) => parts[0] ?? ''),
        prefix,
        ...overwriting,
        span: $.spanFrom(start),
      }))
    }),
  print: (pipe, printer) => {
    const keys =
      pipe.preserveKeys.length === 0 ? '' : ` preserve_keys (${pipe.preserveKeys.map(printer.text).join(', ')})`
    return `unpack_json${printFrom(pipe, printer)}${printFields(pipe.fields, printer)}${keys}${printTail(pipe, printer)}`
  },
  lower: (pipe, input, context) => {
    const fieldPatterns = pipe.fields.length === 0 ? null : patternsJson(pipe.fields)
    const { preserveKeys } = pipe
    return unpackNode(input, pipe, { fieldPatterns, preserveKeys, ...namelessOf(pipe, context) }, context)
  },
  doc: {
    summary: 'Members of a JSON object become fields; nested ones with dots between.',
    form: 'unpack_json [if (filter)] [from field] [fields (field, prefix*, …)] [preserve_keys (key, …)] [result_prefix text] [keep_original_fields|skip_empty_results]',
    examples: [
      { query: '* | unpack_json from content fields (user, ip) result_prefix "body."', text: 'two members as fields' },
    ],
  },
})

export const unpackLogfmt = definePipe({
  kind: 'unpack_logfmt',
  names: ['unpack_logfmt'],
  rule: ($) =>
    $.RULE('unpackLogfmtPipe', (): UnpackLogfmtPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(UnpackLogfmt)
      const condition = readCondition($, true)
      const from = readBareFrom($, following)
      const fields = readFields($)
      const prefix = readPrefix($)
      const overwriting = readOverwriting($)
      return $.ACTION(() => ({
        kind: 'unpack_logfmt',
        condition,
        from,
        fields,
        prefix,
        ...overwriting,
        span: $.spanFrom(start),
      }))
    }),
  print: (pipe, printer) =>
    `unpack_logfmt${printFrom(pipe, printer)}${printFields(pipe.fields, printer)}${printTail(pipe, printer)}`,
  lower: (pipe, input, context) => {
    const fieldPatterns = pipe.fields.length === 0 ? null : patternsJson(pipe.fields)
    return unpackNode(input, pipe, { fieldPatterns, ...namelessOf(pipe, context) }, context)
  },
  doc: {
    summary: 'Pairs of `key=value` become fields.',
    form: 'unpack_logfmt [if (filter)] [from field] [fields (field, prefix*, …)] [result_prefix text] [keep_original_fields|skip_empty_results]',
    examples: [{ query: '* | unpack_logfmt fields (status, took)', text: 'two pairs as fields' }],
  },
})

export const unpackSyslog = definePipe({
  kind: 'unpack_syslog',
  names: ['unpack_syslog'],
  rule: ($) =>
    $.RULE('unpackSyslogPipe', (): UnpackSyslogPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(UnpackSyslog)
      const condition = readCondition($, true)
      const from = readBareFrom($, following)
      const offset = $.option(1, () => {
        $.consume(Offset)
        return $.subrule($.rules.duration)
      })
      const prefix = readPrefix($)
      const overwriting = readOverwriting($)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        if (overwriting.skipsEmpty) {
          $.fail(logDiagnostic('unexpected', { found: 'skip_empty_results', expected: ['|'] }, where))
        }
        return { kind: 'unpack_syslog', condition, from, offset, prefix, ...overwriting, span: where }
      })
    }),
  print: (pipe, printer) => {
    const offset = pipe.offset === undefined ? '' : ` offset ${pipe.offset.text}`
    return `unpack_syslog${printFrom(pipe, printer)}${offset}${printTail(pipe, printer)}`
  },
  lower: (pipe, input, context) => {
    const offsetNs = String(pipe.offset === undefined ? 0n : (parseDurationNs(pipe.offset.text) ?? 0n))
    return unpackNode(input, pipe, { offsetNs }, context)
  },
  doc: {
    summary: 'The parts of a syslog line become fields.',
    form: 'unpack_syslog [if (filter)] [from field] [offset duration] [result_prefix text] [keep_original_fields]',
    examples: [{ query: '* | unpack_syslog from content', text: 'facility, severity, host and so on as fields' }],
  },
})
