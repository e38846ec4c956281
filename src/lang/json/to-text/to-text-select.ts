import { formatDurationNs } from '../../../base/index.ts'
import { toRangeNumber } from '../../../data/index.ts'
import { mathFunctions } from '../../log/index.ts'
import type { Pipeline, Selector } from '../../../wire/index.ts'
import { argValue, lowerSelector, parseInterval, PARAMETER_FIRST, snakeCase, statsName } from '../processor.ts'
import { groupText } from './to-text-filter.ts'
import { name, quoted, type TextContext } from './to-text-names.ts'

const signs: Readonly<Record<string, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  mod: '%',
  pow: '^',
  default: 'default',
  bit_and: '&',
  bit_or: 'or',
  bit_xor: 'xor',
}

type Processor = NonNullable<Selector['processors']>[number]

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** Returns the interval of `toStartOfInterval` as the bucket width of a group key. */
function widthText(processor: Processor, context: TextContext): string {
  const widthNs = parseInterval(String(argValue(processor.args?.[0]) ?? ''))
  if (widthNs === undefined) context.fail('this interval')
  const text = formatDurationNs(widthNs ?? 1n)
  return /^\w+$/.test(text) ? text : quoted(text)
}

/** Returns one scalar step as a pipe that reads column `from` and writes column `to`. Both may be the same column. */
function stepPipe(processor: Processor, from: string, to: string, context: TextContext): string {
  const op = processor.op ?? ''
  if (isInterval(processor)) return `bucketize ${from}:${widthText(processor, context)} as ${to}`
  const args = (processor.args ?? []).map(argValue)
  const scalar = context.functions.scalar(op) ?? context.functions.scalar(snakeCase(op)) ?? ''
  const sign = signs[scalar]
  if (args.every(isNumber)) {
    if (sign !== undefined && args.length === 1) return `math ${from} ${sign} ${quoted(String(args[0]))} as ${to}`
    if (scalar === 'number' && args.length === 0) return `math ${from} as ${to}`
    if (scalar === 'neg' && args.length === 0) return `math -${from} as ${to}`
    const call = mathFunctions.get(scalar)
    if (call !== undefined && call.min <= args.length + 1 && args.length < call.max) {
      return `math ${scalar}(${[from, ...args.map((arg) => quoted(String(arg)))].join(', ')}) as ${to}`
    }
  }
  // An unquoted string that is not a number would be parsed as a field name.
  const values = args.map((arg) => (typeof arg === 'string' ? quoted(arg) : String(arg)))
  return `compute ${name(scalar)}(${[from, ...values].join(', ')}) as ${to}`
}

function hasKey({ key = '' }: Selector): boolean {
  return key !== '' && key !== '*'
}

/** True if a selector's value is missing in every row, so that ordering or grouping by it has no effect. */
export function isNothing(selector: Selector): boolean {
  return !hasKey(selector) && (selector.processors ?? []).length === 0
}

/**
 * Returns the column that a selector reads. A selector without a key reads a column that no row has, so its value is
 * always missing.
 */
function sourceOf(selector: Selector, context: TextContext): string {
  return hasKey(selector) ? name(selector.key ?? '') : context.fresh()
}

/** Returns pipes that compute the steps before a selector's aggregate into a new column, with that column's name. */
export function valuePipes(selector: Selector, context: TextContext): { pipes: string[]; column: string } {
  const column = context.fresh()
  const key = selector.key ?? ''
  const source = sourceOf(selector, context)
  const processors = selector.processors ?? []
  const end = processors.findIndex((processor) => isAggregate(processor, context))
  const steps = end === -1 ? processors : processors.slice(0, end)
  // A key that looks like a number is copied first, because arithmetic would parse it as a number.
  const isCopied = steps.length === 0 || toRangeNumber(key) !== undefined
  const pipes = isCopied ? [`copy ${source} as ${column}`] : []
  steps.forEach((step, i) => {
    pipes.push(stepPipe(step, i === 0 && !isCopied ? source : column, column, context))
  })
  return { pipes, column }
}

/**
 * Returns the column by which to sort or group for a selector. If the selector has steps, appends pipes to `before`,
 * and the name of their temporary column to `made`.
 */
export function keyColumn(selector: Selector, before: string[], made: string[], context: TextContext): string {
  if ((selector.processors ?? []).length === 0) return sourceOf(selector, context)
  const { pipes, column } = valuePipes(selector, context)
  before.push(...pipes)
  made.push(column)
  return column
}

function isInterval(processor: Processor): boolean {
  return (processor.op ?? '').toLowerCase() === 'tostartofinterval'
}

function isAggregate(processor: Processor, context: TextContext): boolean {
  return !isInterval(processor) && statsName(processor.op ?? '', context.lowering) !== undefined
}

interface Written {
  readonly selector: Selector
  readonly name: string
  /** Text of the aggregate, `fn(…) if (…) as name`; `undefined` if the selector has none. */
  readonly call: string | undefined
  readonly after: readonly string[]
  /** Pipes that compute the aggregate's argument. */
  readonly before: readonly string[]
}

function write(selector: Selector, context: TextContext): Written {
  const before: string[] = []
  const lowered = lowerSelector(selector, [], context.lowering)
  const processors = selector.processors ?? []
  const at = processors.findIndex((processor) => isAggregate(processor, context))
  if (at === -1) return { selector, name: lowered.name, call: undefined, after: [], before }
  const isRows = selector.key === undefined || selector.key === '*'
  let argument = isRows ? '' : name(selector.key ?? '')
  if (at > 0 && !isRows) {
    const { pipes, column } = valuePipes(selector, context)
    before.push(...pipes)
    argument = column
  }
  const processor = processors[at]
  const fn = statsName(processor?.op ?? '', context.lowering) ?? ''
  const params = PARAMETER_FIRST.has(fn) ? (processor?.args ?? []).map((arg) => String(argValue(arg))) : []
  const condition = groupText(selector.conditionFilter, context)
  const filter = condition === undefined ? '' : ` if (${condition})`
  const call = `${fn}(${[...params, ...(argument === '' ? [] : [argument])].join(', ')})${filter} as ${name(lowered.name)}`
  const after = processors.slice(at + 1).map((step) => stepPipe(step, name(lowered.name), name(lowered.name), context))
  return { selector, name: lowered.name, call, after, before }
}

function windowPipes(written: readonly Written[], context: TextContext): string[] {
  return written.flatMap(({ selector, call, after, before }) => {
    if (selector.windowSpec === undefined || call === undefined) return []
    const made: string[] = []
    const makers = [...before]
    const keys = (selector.windowSpec.partitionBy ?? []).map((by) => keyColumn(by, makers, made, context))
    const drops = made.length === 0 ? [] : [`delete ${made.join(', ')}`]
    return [...makers, `total_stats${keys.length === 0 ? '' : ` by (${keys.join(', ')})`} ${call}`, ...drops, ...after]
  })
}

interface Key {
  /** Text of the key inside `by (…)`. */
  readonly by: string
  /** Column that the key produces; renamed to `as` at the end. */
  readonly column: string
  readonly as: string
}

/** Returns a group key. A computed key gets a new name, so that aggregates still read its source column. */
function keyOf(selector: Selector, as: string, before: string[], grouping: Grouping): Key {
  const processors = selector.processors ?? []
  const key = selector.key ?? ''
  const last = processors.at(-1)
  const isBucket = last !== undefined && isInterval(last) && grouping.takesBuckets
  if (as === key && key !== '*' && processors.length === (isBucket ? 1 : 0)) {
    const by = isBucket ? `${name(key)}:${widthText(last, grouping.context)}` : name(key)
    return { by, column: name(key), as }
  }
  const steps = isBucket ? { ...selector, processors: processors.slice(0, -1) } : selector
  const { pipes, column } = valuePipes(steps, grouping.context)
  before.push(...pipes)
  return { by: isBucket ? `${column}:${widthText(last, grouping.context)}` : column, column, as }
}

interface Grouping {
  readonly context: TextContext
  /** True for `stats`, whose keys may have bucket widths; false for `uniq`. */
  readonly takesBuckets: boolean
}

function groupKeys(pipeline: Pipeline, plain: readonly Written[], before: string[], grouping: Grouping): Key[] {
  const keys = new Map<string, Key>()
  const columns = plain.filter(({ call }) => call === undefined)
  for (const item of pipeline.groupBy ?? []) {
    const byAlias = columns.find(({ selector }) => selector.alias === item.key)
    if ((item.processors ?? []).length > 0) {
      const as = item.alias ?? byAlias?.name ?? item.key ?? ''
      keys.set(as, keyOf(item, as, before, grouping))
      continue
    }
    const byKey = columns.filter(({ selector }) => selector.key === item.key)
    const shown = byAlias !== undefined ? [byAlias] : byKey
    if (shown.length === 0) {
      const as = item.alias ?? item.key ?? ''
      keys.set(as, keyOf(item, as, before, grouping))
    }
    for (const { selector, name: as } of shown) keys.set(as, keyOf(selector, as, before, grouping))
  }
  return [...keys.values()]
}

/** Writes selectors and `groupBy` as pipes. */
export function selectionPipes(pipeline: Pipeline, context: TextContext): string[] {
  const written = (pipeline.selectors ?? []).map((selector) => write(selector, context))
  const plain = written.filter(({ selector }) => selector.windowSpec === undefined)
  const calls = plain.filter(({ call }) => call !== undefined)
  const before = calls.flatMap((each) => each.before)
  const isGrouped = (pipeline.groupBy?.length ?? 0) > 0 || calls.length > 0
  if (!isGrouped && written.length === 0) return []
  const shown = written.length === 0 ? [] : [`fields ${written.map((w) => name(w.name)).join(', ')}`]
  if (!isGrouped) {
    // All columns are computed before any is renamed, so that no step reads an overwritten column.
    const renamed = plain.flatMap(({ selector, name: as }) => {
      if (selector.key === as && (selector.processors ?? []).length === 0) return []
      const { pipes, column } = valuePipes(selector, context)
      before.push(...pipes)
      return [`rename ${column} as ${name(as)}`]
    })
    return [...windowPipes(written, context), ...before, ...renamed, ...shown]
  }
  const keys = groupKeys(pipeline, plain, before, { context, takesBuckets: calls.length > 0 })
  const by = keys.length === 0 ? '' : ` by (${keys.map((key) => key.by).join(', ')})`
  const grouped = calls.length > 0 ? `stats${by} ${calls.map(({ call }) => call).join(', ')}` : `uniq${by}`
  const renamed = keys
    .filter(({ column, as }) => column !== name(as))
    .map(({ column, as }) => `rename ${column} as ${name(as)}`)
  return [
    ...before,
    grouped,
    ...calls.flatMap(({ after }) => after),
    ...renamed,
    ...windowPipes(written, context),
    ...shown,
  ]
}
