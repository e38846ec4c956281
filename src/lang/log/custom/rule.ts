import { parseDurationNs, type Span } from '../../../base/index.ts'
import { parseNumber } from '../../../data/index.ts'
import type { FieldRef, Pipe, TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import {
  formOf,
  type ArgumentDefinition,
  type ArgumentType,
  type CustomArgument,
  type CustomPipe,
  type CustomPipeDefinition,
} from './definition.ts'

interface Written {
  readonly name: t.Token | undefined
  readonly value: TextValue | readonly FieldRef[]
  readonly span: Span
}

/** Registers the rule of all user-defined pipes: `name value, …, option=value`. */
export function registerCustomPipe($: Syntax): Rule<[], Pipe> {
  const argument = $.RULE('customArgument', (): Written => {
    const start = $.ACTION(() => $.startOffset())
    const name = $.option(0, {
      GATE: () => $.isNext(t.Equals, 2),
      DEF: () => {
        const word = $.consume(t.Word)
        $.consume(t.Equals)
        return word
      },
    })
    const value = $.or<TextValue | readonly FieldRef[]>(0, [
      { ALT: () => $.subrule($.rules.parenFields) },
      { ALT: () => $.subrule($.rules.text) },
    ])
    return { name, value, span: $.spanFrom(start) }
  })

  return $.RULE('customPipe', (): Pipe => {
    const start = $.ACTION(() => $.startOffset())
    const word = $.consume(t.CustomPipeName)
    const written: Written[] = []
    $.option(0, () => {
      written.push($.subrule(argument))
      $.many(0, () => {
        $.consume(t.Comma)
        written.push($.subrule(argument))
      })
    })
    return $.ACTION((): Pipe => {
      const definition = $.session.customPipes.get(word.image.toLowerCase())
      if (definition === undefined) return $.fail($.unexpected(word, []))
      const pipe: CustomPipe = {
        kind: 'custom',
        definition,
        arguments: argumentsOf($, definition, $.tokenSpan(word), written),
        expansion: undefined,
        span: $.spanFrom(start),
      }
      $.session.onCustomPipe(pipe)
      return pipe
    })
  })
}

/**
 * Parses positional arguments and then named arguments, checks their types, and returns them in the order of the
 * definition.
 */
function argumentsOf(
  $: Syntax,
  definition: CustomPipeDefinition,
  nameSpan: Span,
  written: readonly Written[],
): readonly CustomArgument[] {
  const pipe = definition.name
  const form = formOf(pipe, definition.arguments)
  const known = definition.arguments.map(({ name }) => name)
  const found = new Map<string, CustomArgument>()
  for (const [i, { name, value, span }] of written.entries()) {
    const at = name === undefined ? i : known.indexOf(name.image.toLowerCase())
    const wanted = definition.arguments[at]
    if (wanted === undefined) {
      const where = name === undefined ? span : $.tokenSpan(name)
      return $.fail(logDiagnostic('unknown-argument', { pipe, name: name?.image, known, form }, where))
    }
    if (found.has(wanted.name)) $.fail(logDiagnostic('repeated-clause', { name: wanted.name }, span))
    check($, pipe, wanted, value, span)
    found.set(wanted.name, { name: wanted.name, type: wanted.type, value })
  }
  const missing = definition.arguments.find(({ name, isOptional }) => isOptional !== true && !found.has(name))
  if (missing !== undefined) {
    const last = written.at(-1)
    const example = `${last === undefined ? ' ' : ', '}${last?.name === undefined ? '' : `${missing.name}=`}${examples[missing.type]}`
    const data = {
      pipe,
      name: missing.name,
      what: whats[missing.type],
      form,
      example,
      end: last?.span.end ?? nameSpan.end,
    }
    $.fail(logDiagnostic('missing-argument', data, nameSpan))
  }
  return definition.arguments.flatMap(({ name }) => found.get(name) ?? [])
}

const whats: { readonly [T in ArgumentType]: string } = {
  number: 'a number',
  text: 'a text',
  duration: 'a duration',
  field: 'a field',
  fields: 'fields in parentheses',
}

/** Example value for each argument type, used in fixes. */
const examples: { readonly [T in ArgumentType]: string } = {
  number: '1',
  text: '""',
  duration: '5m',
  field: 'field',
  fields: '(field)',
}

function isList(value: Written['value']): value is readonly FieldRef[] {
  return Array.isArray(value)
}

function accepts(type: ArgumentType, value: Written['value']): boolean {
  if (isList(value)) return type === 'fields'
  if (type === 'number') return Number.isFinite(Number(parseNumber(value.text) ?? NaN))
  return type === 'duration' ? parseDurationNs(value.text) !== undefined : type !== 'fields'
}

function check($: Syntax, pipe: string, wanted: ArgumentDefinition, value: Written['value'], span: Span): void {
  if (wanted.type === 'field' && !isList(value)) $.refuseAsName(value)
  const isText = wanted.type === 'number' && !isList(value) && value.parameter?.isText === true
  if (!isText && accepts(wanted.type, value)) return
  const text = $.session.source.slice(span.start, span.end)
  $.fail(
    logDiagnostic('wrong-argument', { name: pipe, text, what: `${whats[wanted.type]} as \`${wanted.name}\`` }, span),
  )
}
