import { nearestNames, parseDurationNs, type JsonPath, type JsonValue } from '../../base/index.ts'
import { call, column, literal, type AggregateCall, type Expr } from '../../plan/index.ts'
import type { Processor, Selector } from '../../wire/index.ts'
import { origin, type FunctionNames, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { lowerFilterGroup } from './filter-group.ts'

/** A lowered selector: scalar steps on a column, at most one aggregate, and scalar steps on the aggregate's result. */
export interface SelectedColumn {
  readonly name: string
  /** The column after the scalar steps; this is the argument of the aggregate if the selector has one. */
  readonly input: Expr
  readonly aggregate: AggregateCall | undefined
  /** Applies the scalar steps that follow the aggregate; `undefined` if there are none. */
  readonly after: ((result: Expr) => Expr) | undefined
  readonly isPlain: boolean
}

const NS_PER_UNIT: Readonly<Record<string, bigint>> = {
  second: 1_000_000_000n,
  minute: 60_000_000_000n,
  hour: 3_600_000_000_000n,
  day: 86_400_000_000_000n,
  week: 604_800_000_000_000n,
}

const INTERVAL = /^\s*(\d{1,9})\s*(second|minute|hour|day|week)s?\s*$/i

/**
 * Parses an interval such as `300 seconds`, `5 minutes` or `5m` to ns. `undefined` unless it is a valid positive
 * interval.
 */
export function parseInterval(text: string): bigint | undefined {
  const match = INTERVAL.exec(text)
  const [, count = '', unit = ''] = match ?? []
  const ns = match === null ? parseDurationNs(text.trim()) : BigInt(count) * (NS_PER_UNIT[unit.toLowerCase()] ?? 0n)
  return ns !== undefined && ns > 0n ? ns : undefined
}

export function argValue(arg: unknown): string | number | boolean | null {
  const json = arg as JsonValue
  return typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean' ? json : null
}

/** Returns a numeric argument, given as a number or a string; reports an error for any other value. */
function numberOf(arg: ReturnType<typeof argValue>, op: string, path: JsonPath, context: JsonLowering): typeof arg {
  const number = typeof arg === 'string' ? Number(arg) : arg
  if (Number.isNaN(number))
    context.diagnostics.push(jsonDiagnostic('wrong-value', { operator: op, expected: 'a number' }, origin(path)))
  return number
}

function intervalBucket(input: Expr, processor: Processor, path: JsonPath, context: JsonLowering): Expr {
  const text = String(argValue(processor.args?.[0]) ?? '')
  const widthNs = parseInterval(text)
  if (widthNs === undefined) {
    context.diagnostics.push(jsonDiagnostic('bad-interval', { text }, origin([...path, 'args', 0])))
    return input
  }
  return {
    kind: 'bucket',
    arg: input,
    bucket: { kind: 'time', widthNs, offsetNs: 0n, zone: undefined },
    origin: origin(path),
  }
}

/** Stats functions whose literal parameter stands before the columns in a call. */
export const PARAMETER_FIRST = new Set(['quantile', 'quantile_approx'])

export function snakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}

const SYNONYMS: Readonly<Record<string, string>> = {
  countdistinct: 'count_uniq',
  count_distinct: 'count_uniq',
  uniq: 'count_uniq',
  distinct: 'uniq_values',
  average: 'avg',
  mean: 'avg',
  p50: 'median',
}

/**
 * Returns the registry name of a stats function. Accepts the name used in query texts, the camel-case form and
 * synonyms.
 */
export function statsName(op: string, context: JsonLowering): string | undefined {
  return statsNameOf(op, context.functions)
}

export function statsNameOf(op: string, { stats }: FunctionNames): string | undefined {
  return stats(op) ?? stats(snakeCase(op)) ?? stats(SYNONYMS[op.toLowerCase()] ?? '')
}

export function defaultName(selector: Selector, aggregate: string | undefined): string {
  return selector.alias ?? aggregate ?? selector.key ?? ''
}

/** Lowers a selector. On an error, reports it and returns the column without steps. */
export function lowerSelector(selector: Selector, path: JsonPath, context: JsonLowering): SelectedColumn {
  const at = origin(path)
  const key = selector.key ?? ''
  let input: Expr = key === '*' || key === '' ? literal(null, at) : column(key, at)
  let aggregate: AggregateCall | undefined
  const steps: ((result: Expr) => Expr)[] = []
  selector.processors?.forEach((processor, index) => {
    const where: JsonPath = [...path, 'processors', index]
    const op = processor.op ?? ''
    const apply = (step: (arg: Expr) => Expr): void => {
      if (aggregate === undefined) input = step(input)
      else steps.push(step)
    }
    if (op.toLowerCase() === 'tostartofinterval') {
      apply((arg) => intervalBucket(arg, processor, where, context))
      return
    }
    const stats = statsName(op, context)
    if (stats !== undefined) {
      if (aggregate !== undefined) {
        context.diagnostics.push(jsonDiagnostic('two-aggregates', { first: aggregate.fn, second: op }, origin(where)))
        return
      }
      const params = (processor.args ?? []).map(argValue)
      const filter =
        selector.conditionFilter === undefined
          ? undefined
          : lowerFilterGroup(selector.conditionFilter, [...path, 'conditionFilter'], context)
      aggregate = {
        fn: stats,
        args: key === '*' || key === '' ? [] : [input],
        params: PARAMETER_FIRST.has(stats)
          ? params.map((p, i) => numberOf(p, op, [...where, 'args', i], context))
          : params,
        limit: undefined,
        orderBy: [],
        filter,
        origin: origin(where),
      }
      return
    }
    const scalar = context.functions.scalar(op) ?? context.functions.scalar(snakeCase(op))
    if (scalar === undefined) {
      const near = nearestNames(op, context.functions.all())
      context.diagnostics.push(jsonDiagnostic('unknown-processor', { name: op, near }, origin([...where, 'op'])))
      return
    }
    const extra = (processor.args ?? []).map((arg) => literal(argValue(arg), origin(where)))
    apply((arg) => call(scalar, [arg, ...extra], origin(where)))
  })
  if (key === '' && selector.alias === undefined) {
    context.diagnostics.push(jsonDiagnostic('missing-key', { where: 'A selector' }, at))
  }
  if (aggregate === undefined && (selector.conditionFilter !== undefined || selector.windowSpec !== undefined)) {
    context.diagnostics.push(jsonDiagnostic('condition-without-aggregate', {}, at))
  }
  return {
    name: defaultName(selector, aggregate?.fn),
    input,
    aggregate,
    after: steps.length === 0 ? undefined : (result) => steps.reduce((value, step) => step(value), result),
    isPlain: aggregate === undefined && (selector.processors ?? []).length === 0,
  }
}
