import type { Pipeline, Selector } from '../../wire/index.ts'
import { argValue, lowerSelector, parseInterval, PARAMETER_FIRST, snakeCase, statsName } from './processor.ts'
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

/** A scalar step on a column that has been made: written over it. */
function stepPipes(processor: Processor, column: string, context: TextContext): string[] {
  const op = processor.op ?? ''
  const args = (processor.args ?? []).map((arg) => quoted(String(argValue(arg) ?? '')))
  if (op.toLowerCase() === 'tostartofinterval') {
    const width = parseInterval(String(argValue(processor.args?.[0]) ?? ''))
    if (width === undefined) context.fail('this interval')
    context.fail('`toStartOfInterval` on anything but a key to group by')
    return []
  }
  const scalar = context.functions.scalar(op) ?? context.functions.scalar(snakeCase(op)) ?? ''
  const sign = signs[scalar]
  if (sign !== undefined && args.length === 1) return [`math ${column} ${sign} ${args[0]} as ${column}`]
  if (scalar === 'number') return [`math ${column} as ${column}`]
  if (scalar === 'neg') return [`math -${column} as ${column}`]
  return [`math ${scalar}(${[column, ...args].join(', ')}) as ${column}`]
}

/** Pipes that make a column of a selector's steps below its aggregate, under a name of its own. */
export function valuePipes(selector: Selector, context: TextContext): { pipes: string[]; column: string } {
  const column = context.fresh()
  const pipes = [`copy ${name(selector.key ?? '')} as ${column}`]
  for (const processor of selector.processors ?? []) {
    if (isAggregate(processor, context)) break
    pipes.push(...stepPipes(processor, column, context))
  }
  return { pipes, column }
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
  /** `fn(…) if (…) as name`, when there is an aggregate. */
  readonly call: string | undefined
  readonly after: readonly string[]
  /** Pipes that make its argument. */
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
  const fn = statsName(processors[at].op ?? '', context.lowering) ?? ''
  const params = PARAMETER_FIRST.has(fn) ? (processors[at].args ?? []).map((arg) => String(argValue(arg))) : []
  const condition = groupText(selector.conditionFilter, context)
  const filter = condition === undefined ? '' : ` if (${condition})`
  const call = `${fn}(${[...params, ...(argument === '' ? [] : [argument])].join(', ')})${filter} as ${name(lowered.name)}`
  const after = processors.slice(at + 1).flatMap((step) => stepPipes(step, name(lowered.name), context))
  return { selector, name: lowered.name, call, after, before }
}

function windowPipes(written: readonly Written[], context: TextContext): string[] {
  return written.flatMap(({ selector, call, after, before }) => {
    if (selector.windowSpec === undefined || call === undefined) return []
    const keys = (selector.windowSpec.partitionBy ?? []).map((s) => name(s.key ?? ''))
    if (selector.windowSpec.partitionBy?.some((s) => (s.processors ?? []).length > 0) === true)
      context.fail('a partition by a computed column')
    return [...before, `total_stats${keys.length === 0 ? '' : ` by (${keys.join(', ')})`} ${call}`, ...after]
  })
}

interface Key {
  /** As `by (…)` has it. */
  readonly by: string
  /** The column that comes out, and what it shall be called. */
  readonly column: string
  readonly as: string
}

/** A key under a name of its own, so that no aggregate reads it in place of the column it was made of. */
function keyOf(selector: Selector, as: string, before: string[], context: TextContext): Key {
  const processors = selector.processors ?? []
  const key = selector.key ?? ''
  if (processors.length === 0 && as === key) return { by: name(key), column: name(key), as }
  const last = processors.at(-1)
  const bucketed = last !== undefined && isInterval(last)
  const { pipes, column } = valuePipes(
    bucketed ? { ...selector, processors: processors.slice(0, -1) } : selector,
    context,
  )
  before.push(...pipes)
  if (!bucketed) return { by: column, column, as }
  const width = parseInterval(String(argValue(last.args?.[0]) ?? '')) ?? 1n
  return { by: `${column}:${width}ns`, column, as }
}

function groupKeys(pipeline: Pipeline, plain: readonly Written[], before: string[], context: TextContext): Key[] {
  const keys = new Map<string, Key>()
  const columns = plain.filter(({ call }) => call === undefined)
  for (const item of pipeline.groupBy ?? []) {
    const byAlias = columns.find(({ selector }) => selector.alias === item.key)
    if ((item.processors ?? []).length > 0) {
      const as = item.alias ?? byAlias?.name ?? item.key ?? ''
      keys.set(as, keyOf(item, as, before, context))
      continue
    }
    const byKey = columns.filter(({ selector }) => selector.key === item.key)
    const shown = byAlias !== undefined ? [byAlias] : byKey
    if (shown.length === 0) {
      const as = item.alias ?? item.key ?? ''
      keys.set(as, keyOf(item, as, before, context))
    }
    for (const { selector, name: as } of shown) keys.set(as, keyOf(selector, as, before, context))
  }
  return [...keys.values()]
}

/** Selectors and `groupBy` as pipes. */
export function selectionPipes(pipeline: Pipeline, context: TextContext): string[] {
  const written = (pipeline.selectors ?? []).map((selector) => write(selector, context))
  const plain = written.filter(({ selector }) => selector.windowSpec === undefined)
  const calls = plain.filter(({ call }) => call !== undefined)
  const before = calls.flatMap((each) => each.before)
  const isGrouped = (pipeline.groupBy?.length ?? 0) > 0 || calls.length > 0
  if (!isGrouped && written.length === 0) return []
  const shown = written.length === 0 ? [] : [`fields ${written.map((w) => name(w.name)).join(', ')}`]
  if (!isGrouped) {
    // Side by side: all are made before any is written over.
    const renamed = plain.flatMap(({ selector, name: as }) => {
      if (selector.key === as && (selector.processors ?? []).length === 0) return []
      const { pipes, column } = valuePipes(selector, context)
      before.push(...pipes)
      return [`rename ${column} as ${name(as)}`]
    })
    return [...windowPipes(written, context), ...before, ...renamed, ...shown]
  }
  const keys = groupKeys(pipeline, plain, before, context)
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
