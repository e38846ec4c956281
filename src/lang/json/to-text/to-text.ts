import { formatDurationNs, nowhere, type Diagnostic } from '../../../base/index.ts'
import { toRangeNumber } from '../../../data/index.ts'
import { tableOfDomain } from '../../../plan/index.ts'
import { mathOperands, type MathExpression, type Pipeline, type Transform } from '../../../wire/index.ts'
import type { Placeholders } from '../../placeholders.ts'
import type { FunctionNames } from '../context.ts'
import { jsonDiagnostic } from '../diagnostics.ts'
import { joinTypeOf } from '../join.ts'
import { aliasOf } from '../order.ts'
import { mathOperators } from '../math-expression.ts'
import { argValue, parseInterval } from '../processor.ts'
import { groupText } from './to-text-filter.ts'
import { name, quoted, type TextContext, type PipelineContext } from './to-text-names.ts'
import { isNothing, keyColumn, selectionPipes } from './to-text-select.ts'

export interface PipelineText {
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

const signs: Readonly<Record<string, string>> = { add: '+', sub: '-', mul: '*', div: '/', mod: '%', pow: '^' }

const everything = '*'

/** Temporary names for columns whose names look like numbers, for use in math expressions. */
type Lent = Map<string, string>

function mathText(item: MathExpression, lent: Lent, context: TextContext): string {
  const operands = mathOperands(item)
  if (item.math_operator !== undefined) {
    const sign = signs[mathOperators.get(item.math_operator.trim().toLowerCase()) ?? '']
    const written = operands.map(({ operand }) => mathText(operand, lent, context))
    if (sign === undefined || written.length < 2) {
      context.fail('this math expression')
      return '0'
    }
    return written.reduce((left, right) => `(${left} ${sign} ${right})`)
  }
  const key = item.column?.key
  if (key !== undefined) {
    if (toRangeNumber(key) === undefined) return quoted(key)
    const other = lent.get(key) ?? context.fresh()
    lent.set(key, other)
    return other
  }
  if (item.scalar !== undefined) return quoted(item.scalar)
  const [only] = operands
  if (operands.length === 1 && only !== undefined) return mathText(only.operand, lent, context)
  context.fail('this math expression')
  return '0'
}

function mathPipes(items: readonly MathExpression[], context: TextContext): string[] {
  if (items.length === 0) return []
  const pipes = items.flatMap((item) => {
    const alias = name(item.alias ?? '')
    const leaf = leafOf(item)
    // `math` would convert a plain column to a number, so `copy` is used instead.
    if (leaf.math_operator === undefined && leaf.column?.key !== undefined) {
      return [`copy ${name(leaf.column.key)} as ${alias}`]
    }
    const lent: Lent = new Map()
    const math = `math ${mathText(item, lent, context)} as ${alias}`
    if (lent.size === 0) return [math]
    const copies = [...lent].map(([key, other]) => `${name(key)} as ${other}`)
    return [`copy ${copies.join(', ')}`, math, `delete ${[...lent.values()].join(', ')}`]
  })
  if (!items.every((item) => item.keepExisting === false)) return pipes
  return [...pipes, `fields ${items.map((item) => name(item.alias ?? '')).join(', ')}`]
}

/** Returns the innermost item if the given items only wrap one another; otherwise the item itself. */
function leafOf(item: MathExpression): MathExpression {
  if (item.math_operator !== undefined || item.column?.key !== undefined || item.scalar !== undefined) return item
  const operands = mathOperands(item)
  const [only] = operands
  return operands.length === 1 && only !== undefined ? leafOf(only.operand) : item
}

function transformPipe(transform: Transform, context: TextContext): string {
  const from = name(transform.sourceColumn ?? '')
  switch ((transform.type ?? '').toLowerCase()) {
    case 'json_unpack':
      return `unpack_json from ${from} result_prefix ${quoted(`${transform.alias ?? ''}.`)}`
    case 'datetime_extract': {
      const part = String(argValue(transform.args?.[0]) ?? 'hour')
      return `datetime_extract ${quoted(part)} from ${from} as ${name(transform.alias ?? '')}`
    }
    default:
      context.fail(`the transform \`${transform.type ?? ''}\``)
      return ''
  }
}

/** Returns `options(…) *`, the source of a pipeline that names no other: all rows of its table. */
function recordsText({ shiftNs, inheritedNs, domain }: PipelineContext): string {
  const options = [
    ...(domain === undefined
      ? []
      : [`domain=${tableOfDomain.has(domain.toLowerCase()) ? domain.toLowerCase() : name(domain)}`]),
    ...(shiftNs === inheritedNs ? [] : [`range_offset=${formatDurationNs(shiftNs)}`]),
  ]
  return options.length === 0 ? everything : `options(${options.join(', ')}) ${everything}`
}

/** Returns the time offset of the first scan in a pipeline's text, ns. Subqueries in that text inherit this offset. */
function firstShiftNs(pipeline: Pipeline, shiftNs: bigint): bigint {
  const first = pipeline.join?.leftPipeline ?? pipeline.union?.leftPipeline ?? pipeline.from
  return first === undefined ? shiftNs : firstShiftNs(first, shiftNs + offsetNs(first))
}

function offsetNs({ timeOffset }: Pipeline): bigint {
  return timeOffset === undefined ? 0n : (parseInterval(timeOffset) ?? 0n)
}

function sourceText(pipeline: Pipeline, around: PipelineContext, context: TextContext): string {
  const first = (inner: Pipeline): string => writePipeline(inner, around, context)
  const second = (inner: Pipeline): string =>
    `(${writePipeline(inner, { ...around, inheritedNs: firstShiftNs(pipeline, around.shiftNs) }, context)})`
  if (pipeline.join !== undefined) {
    const { leftPipeline = {}, rightPipeline = {}, onConditions = [], prefix = 'right' } = pipeline.join
    const type = joinTypeOf(pipeline.join.type, [], context.lowering)
    const keys = onConditions.map(({ leftColumn, rightColumn }) => {
      const left = name(leftColumn?.key ?? rightColumn?.key ?? '')
      const right = name(rightColumn?.key ?? leftColumn?.key ?? '')
      return left === right ? left : `${left} = ${right}`
    })
    return `${first(leftPipeline)} | join by (${keys.join(', ')}) ${second(rightPipeline)} ${type} prefix ${quoted(prefix)} clashing`
  }
  if (pipeline.union !== undefined) {
    const { leftPipeline = {}, rightPipeline = {} } = pipeline.union
    return `${first(leftPipeline)} | union ${second(rightPipeline)}`
  }
  return pipeline.from === undefined ? recordsText(around) : first(pipeline.from)
}

function orderPipes(pipeline: Pipeline, context: TextContext): string[] {
  const order = (pipeline.orderBy ?? []).filter(
    ({ selector = {} }) => aliasOf(pipeline, selector) !== undefined || !isNothing(selector),
  )
  if (order.length === 0) return []
  const before: string[] = []
  const made: string[] = []
  const keys = order.map(({ selector = {}, direction }) => {
    const known = aliasOf(pipeline, selector)
    const key = known === undefined ? keyColumn(selector, before, made, context) : name(known)
    return direction === 'desc' ? `${key} desc` : key
  })
  return [...before, `sort by (${keys.join(', ')})`, ...(made.length === 0 ? [] : [`delete ${made.join(', ')}`])]
}

function limitByPipes({ limitBy }: Pipeline, context: TextContext): string[] {
  if (limitBy?.limit === undefined) return []
  const before: string[] = []
  const made: string[] = []
  const keys = (limitBy.selectors ?? []).filter((s) => !isNothing(s)).map((s) => keyColumn(s, before, made, context))
  const offset = (limitBy.offset ?? 0) > 0 ? ` offset ${limitBy.offset}` : ''
  const after = made.length === 0 ? [] : [`delete ${made.join(', ')}`]
  return [...before, `limit ${limitBy.limit} by (${keys.join(', ')})${offset}`, ...after]
}

function writePipeline(pipeline: Pipeline, around: PipelineContext, context: TextContext): string {
  const domain = pipeline.domain ?? around.domain
  const inner = { ...around, domain, shiftNs: around.shiftNs + offsetNs(pipeline) }
  if (pipeline.timeOffset !== undefined && parseInterval(pipeline.timeOffset) === undefined) {
    context.fail(`the offset \`${pipeline.timeOffset}\``)
  }
  const source = sourceText(pipeline, inner, context)
  const stages = [source]
  const isRecords = (['from', 'join', 'union'] as const).every((member) => pipeline[member] === undefined)
  for (const transform of pipeline.transforms ?? []) stages.push(transformPipe(transform, context))
  const filter = groupText(pipeline.filters, context)
  if (filter !== undefined) {
    // If no pipe stands between scan and filter, the filter replaces the `*` of the query.
    if (stages.length === 1 && isRecords) stages[0] = source.slice(0, -everything.length) + filter
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

/** Returns a prefix for temporary names that occurs nowhere in the body. */
function madePrefix(pipeline: Pipeline): string {
  const body = JSON.stringify(pipeline)
  let prefix = '_made_'
  while (body.includes(prefix)) prefix = `_${prefix}`
  return prefix
}

/**
 * Converts a decoded pipeline to a query text of the native dialect that gives the same answer for the same time range
 * and table. Every pipeline that can be lowered to a plan has such a text. Diagnostics report errors of the body.
 */
export function pipelineToText(
  pipeline: Pipeline,
  functions: FunctionNames,
  /** Stand-in values for the parameters of the body. */
  open?: Placeholders,
): PipelineText {
  const diagnostics: Diagnostic[] = []
  const prefix = madePrefix(pipeline)
  let made = 0
  const context: TextContext = {
    functions,
    fail: (what) => {
      diagnostics.push(jsonDiagnostic('no-text', { what }, nowhere))
    },
    isOpen: (value) => open?.has(value) ?? false,
    fresh: () => `${prefix}${made++}`,
    lowering: {
      functions,
      diagnostics,
      source: () => ({ kind: 'values', outputSchema: { fields: [], isOpen: false }, rows: [], origin: nowhere }),
    },
  }
  const text = writePipeline(pipeline, { shiftNs: 0n, inheritedNs: 0n, domain: undefined }, context)
  if (!text.isWellFormed()) context.fail('half of a surrogate pair, which is not a character')
  return { text, diagnostics }
}
