import { nowhere, type Diagnostic } from '../../base/index.ts'
import { mathOperands, type MathExpression, type Pipeline, type Selector, type Transform } from '../../wire/index.ts'
import type { FunctionNames } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { joinTypeOf } from './join.ts'
import { mathOperators } from './math-expression.ts'
import { argValue } from './processor.ts'
import { groupText } from './to-text-filter.ts'
import { name, quoted, type TextContext } from './to-text-names.ts'
import { selectionPipes, valuePipes } from './to-text-select.ts'

export interface PipelineText {
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

const signs: Readonly<Record<string, string>> = { add: '+', sub: '-', mul: '*', div: '/', mod: '%', pow: '^' }

function mathText(item: MathExpression, context: TextContext): string {
  const operands = mathOperands(item)
  if (item.math_operator !== undefined) {
    const sign = signs[mathOperators.get(item.math_operator.trim().toLowerCase()) ?? '']
    const written = operands.map(({ operand }) => mathText(operand, context))
    if (sign === undefined || written.length < 2) context.fail('this math expression')
    return written.reduce((left, right) => `(${left} ${sign} ${right})`)
  }
  if (item.column?.key !== undefined) return quoted(item.column.key)
  if (item.scalar !== undefined) return quoted(item.scalar)
  if (operands.length === 1) return mathText(operands[0].operand, context)
  context.fail('this math expression')
  return '0'
}

function mathPipes(items: readonly MathExpression[], context: TextContext): string[] {
  if (items.length === 0) return []
  const pipes = items.map((item) => {
    const alias = name(item.alias ?? '')
    // A column alone stays as it is; `math` would make a number of it.
    if (item.math_operator === undefined && item.column?.key !== undefined) {
      return `copy ${name(item.column.key)} as ${alias}`
    }
    return `math ${mathText(item, context)} as ${alias}`
  })
  if (!items.every((item) => item.keepExisting === false)) return pipes
  return [...pipes, `fields ${items.map((item) => name(item.alias ?? '')).join(', ')}`]
}

function transformPipe(transform: Transform, context: TextContext): string {
  const from = name(transform.sourceColumn ?? '')
  switch ((transform.type ?? '').toLowerCase()) {
    case 'json_unpack':
      return `unpack_json from ${from} result_prefix ${quoted(`${transform.alias ?? ''}.`)}`
    case 'datetime_extract': {
      const part = String(argValue(transform.args?.[0]) ?? 'hour')
      const word = part.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
      return `datetime_extract ${quoted(word)} from ${from} as ${name(transform.alias ?? '')}`
    }
    default:
      context.fail(`the transform \`${transform.type ?? ''}\``)
      return ''
  }
}

function sourceText(pipeline: Pipeline, context: TextContext): string {
  if (pipeline.join !== undefined) {
    const { leftPipeline = {}, rightPipeline = {}, onConditions = [], prefix = 'right' } = pipeline.join
    const type = joinTypeOf(pipeline.join.type, [], context.lowering)
    const keys = onConditions.map(({ leftColumn, rightColumn }) => {
      const left = name(leftColumn?.key ?? rightColumn?.key ?? '')
      const right = name(rightColumn?.key ?? leftColumn?.key ?? '')
      return left === right ? left : `${left} = ${right}`
    })
    const side = `(${writePipeline(rightPipeline, context)})`
    const left = writePipeline(leftPipeline, context)
    return `${left} | join by (${keys.join(', ')}) ${side} ${type} prefix ${quoted(prefix)} clashing`
  }
  if (pipeline.union !== undefined) {
    const { leftPipeline = {}, rightPipeline = {} } = pipeline.union
    return `${writePipeline(leftPipeline, context)} | union (${writePipeline(rightPipeline, context)})`
  }
  if (pipeline.from !== undefined) return writePipeline(pipeline.from, context)
  return '*'
}

function orderPipes(pipeline: Pipeline, context: TextContext): string[] {
  const order = pipeline.orderBy ?? []
  if (order.length === 0) return []
  const before: string[] = []
  const made: string[] = []
  const keys = order.map(({ selector = {}, direction }) => {
    const wanted = selector.alias ?? selector.key
    const known = pipeline.selectors?.find((s) => s.alias !== undefined && s.alias === wanted)
    const key = known?.alias === undefined ? keyColumn(selector, before, made, context) : name(known.alias)
    return direction === 'desc' ? `${key} desc` : key
  })
  return [...before, `sort by (${keys.join(', ')})`, ...(made.length === 0 ? [] : [`delete ${made.join(', ')}`])]
}

/** The column of a selector; one with steps is made first and dropped later. */
function keyColumn(selector: Selector, before: string[], made: string[], context: TextContext): string {
  if ((selector.processors ?? []).length === 0) return name(selector.key ?? '')
  const { pipes, column } = valuePipes(selector, context)
  before.push(...pipes)
  made.push(column)
  return column
}

function limitByPipes({ limitBy }: Pipeline, context: TextContext): string[] {
  if (limitBy?.limit === undefined) return []
  const before: string[] = []
  const made: string[] = []
  const keys = (limitBy.selectors ?? []).map((s) => keyColumn(s, before, made, context))
  const offset = (limitBy.offset ?? 0) > 0 ? ` offset ${limitBy.offset}` : ''
  const after = made.length === 0 ? [] : [`delete ${made.join(', ')}`]
  return [...before, `limit ${limitBy.limit} by (${keys.join(', ')})${offset}`, ...after]
}

function writePipeline(pipeline: Pipeline, context: TextContext): string {
  if (pipeline.domain !== undefined) context.lowering.source(pipeline.domain, nowhere)
  if (pipeline.timeOffset !== undefined) context.fail('`timeOffset`, which moves the range of the request')
  const stages = [sourceText(pipeline, context)]
  for (const transform of pipeline.transforms ?? []) stages.push(transformPipe(transform, context))
  const filter = groupText(pipeline.filters, context)
  if (filter !== undefined) {
    // Right behind the records the filter is the beginning of the query itself.
    if (stages.length === 1 && stages[0] === '*') stages[0] = filter
    else stages.push(`filter ${filter}`)
  }
  if (pipeline.sample !== undefined) stages.push(`sample ${pipeline.sample} rows`)
  stages.push(...selectionPipes(pipeline, context))
  stages.push(...mathPipes(pipeline.mathExpression ?? [], context))
  const having = groupText(pipeline.having, context)
  if (having !== undefined) stages.push(`filter ${having}`)
  const except = (pipeline.except ?? []).map((s) => name(s.alias ?? s.key ?? ''))
  if (except.length > 0) stages.push(`delete ${except.join(', ')}`)
  stages.push(...orderPipes(pipeline, context), ...limitByPipes(pipeline, context))
  if ((pipeline.offset ?? 0) > 0) stages.push(`offset ${pipeline.offset}`)
  if (pipeline.limit !== undefined) stages.push(`limit ${pipeline.limit}`)
  return stages.join(' | ')
}

/**
 * A decoded pipeline as a query of the text language, native dialect, which answers the same over the same range. What
 * has no text, the moved range of `timeOffset` and records of a second domain, is a diagnostic.
 */
export function pipelineToText(pipeline: Pipeline, functions: FunctionNames): PipelineText {
  const diagnostics: Diagnostic[] = []
  let made = 0
  const fail = (what: string): void => {
    diagnostics.push(jsonDiagnostic('no-text', { what }, nowhere))
  }
  const context: TextContext = {
    functions,
    fail,
    fresh: () => `_made_${made++}`,
    lowering: {
      functions,
      diagnostics,
      source: (domain) => {
        if (domain !== undefined && domain.toLowerCase() !== 'logs') fail(`records of the domain \`${domain}\``)
        return { kind: 'values', outputSchema: { fields: [], isOpen: false }, rows: [], origin: nowhere }
      },
    },
  }
  return { text: writePipeline(pipeline, context), diagnostics }
}
