import { always, nowhere, present, type Interval, type JsonValue } from '../../src/base/index.ts'
import {
  field,
  toText,
  type DataType,
  type Row,
  type Schema,
  type Value,
  type ValueTest,
} from '../../src/data/index.ts'
import {
  Registry,
  type FunctionDefinitions,
  type ScalarFunction,
  type StatsFunction,
} from '../../src/functions/index.ts'
import type {
  AggregateCall,
  Apply,
  Expr,
  FieldFilter,
  FieldPattern,
  Join,
  JoinType,
  LogicalPlan,
  MatchRequest,
  Scan,
  Sort,
  SortKey,
} from '../../src/plan/index.ts'

/** Short constructors with which tests write plans. */

const origin = nowhere

export function pattern(text: string): FieldPattern {
  return { parts: text.split('*') }
}

export function scan(table = '', range: Interval = always, extra: Partial<Scan> = {}): Scan {
  return {
    kind: 'scan',
    table,
    tableSchema: { fields: [], isOpen: true },
    range,
    predicate: undefined,
    guard: undefined,
    columns: undefined,
    origin,
    ...extra,
  }
}

export function values(schema: Schema, rows: readonly Row[] = []): LogicalPlan {
  return { kind: 'values', outputSchema: schema, rows, origin }
}

export function filter(input: LogicalPlan, predicate: Expr): LogicalPlan {
  return { kind: 'filter', input, predicate, origin }
}

export function project(input: LogicalPlan, ...fields: readonly string[]): LogicalPlan {
  return { kind: 'project', input, fields: fields.map(pattern), origin }
}

export function drop(input: LogicalPlan, ...fields: readonly string[]): LogicalPlan {
  return { kind: 'drop', input, fields: fields.map(pattern), origin }
}

export function rename(input: LogicalPlan, steps: Readonly<Record<string, string>>, isCopy = false): LogicalPlan {
  return {
    kind: 'rename',
    input,
    steps: Object.entries(steps).map(([from, to]) => ({ from: pattern(from), to: pattern(to) })),
    isCopy,
    origin,
  }
}

export function extend(input: LogicalPlan, assignments: Readonly<Record<string, Expr>>): LogicalPlan {
  return {
    kind: 'extend',
    input,
    assignments: Object.entries(assignments).map(([name, expr]) => ({ name, expr, type: 'any' })),
    origin,
  }
}

export function agg(fn: string, args: readonly Expr[] = [], extra: Partial<AggregateCall> = {}): AggregateCall {
  return { fn, args, params: [], limit: undefined, orderBy: [], filter: undefined, origin, ...extra }
}

export function aggregate(
  input: LogicalPlan,
  keys: Readonly<Record<string, Expr>>,
  calls: Readonly<Record<string, AggregateCall>>,
): LogicalPlan {
  return {
    kind: 'aggregate',
    input,
    keys: Object.entries(keys).map(([name, expr]) => ({ name, expr, type: 'any' })),
    aggregates: Object.entries(calls).map(([name, call]) => ({ name, call, type: 'any' })),
    origin,
  }
}

export function sort(input: LogicalPlan, keys: readonly SortKey[], extra: Partial<Sort> = {}): LogicalPlan {
  return {
    kind: 'sort',
    input,
    keys,
    offset: 0,
    limit: undefined,
    partitionBy: [],
    rankName: undefined,
    origin,
    ...extra,
  }
}

export function limit(input: LogicalPlan, count: number | undefined, offset = 0): LogicalPlan {
  return { kind: 'limit', input, limit: count, offset, origin }
}

export function union(...inputsList: readonly LogicalPlan[]): LogicalPlan {
  return { kind: 'union', inputsList, origin }
}

export function join(
  left: LogicalPlan,
  right: LogicalPlan,
  on: Readonly<Record<string, string>>,
  type: JoinType = 'left',
  extra: Partial<Join> = {},
): LogicalPlan {
  return {
    kind: 'join',
    left,
    right,
    type,
    on: Object.entries(on).map(([l, r]) => ({ left: l, right: r })),
    prefix: undefined,
    prefixMode: 'collision',
    origin,
    ...extra,
  }
}

/**
 * Returns a node that applies a pipe. `writes` and `reads` are names or patterns; plain names in `writes` become
 * columns of the answer.
 */
export function apply(
  input: LogicalPlan,
  fn: string,
  params: JsonValue,
  reads: readonly string[],
  writes: readonly string[],
  extra: Partial<Apply> = {},
): LogicalPlan {
  return {
    kind: 'apply',
    input,
    fn,
    params,
    condition: undefined,
    use: { reads: reads.map(pattern), writes: writes.map(pattern), replaces: [] },
    outputs: writes.filter((name) => !name.includes('*')).map((name) => field(name)),
    isOneToOne: true,
    origin,
    ...extra,
  }
}

function fieldFilter(name: string | undefined, request: MatchRequest): FieldFilter {
  return { kind: 'field-filter', field: name === undefined ? undefined : pattern(name), request, origin }
}

/** Builds the filter `field:value`; without a field, the filter for a bare word. */
export function value(field: string | undefined, text: string, isQuoted = false): FieldFilter {
  return fieldFilter(field, { kind: 'value', dialect: 'native', text, isQuoted })
}

/** Builds the filter `field:a*b`. Each `*` in the text is a wildcard. */
export function wild(field: string | undefined, text: string): FieldFilter {
  return fieldFilter(field, { kind: 'pattern', dialect: 'native', parts: text.split('*') })
}

export function closed(field: string | undefined, test: ValueTest, isAlternative = false): FieldFilter {
  return fieldFilter(field, { kind: 'test', test, isAlternative })
}

export function level(...args: readonly Expr[]): Expr {
  return { kind: 'implicit-and', dialect: 'native', args, origin }
}

const doc = { summary: '', parameters: [], examples: [] }

function scalar(
  name: string,
  args: number,
  type: DataType,
  evaluate: (args: readonly Value[]) => Value,
): ScalarFunction {
  return {
    name,
    aliases: [],
    signature: { params: [], minArgs: args, maxArgs: args },
    returns: () => type,
    evaluate,
    doc,
  }
}

function stats(name: string, minArgs: number, params: readonly string[], isOrderSensitive = false): StatsFunction {
  return {
    name,
    aliases: name === 'avg' ? ['mean'] : [],
    signature: { params: params.map((p) => ({ name: p, type: 'number' })), minArgs, maxArgs: Infinity },
    returns: () => (name === 'count' ? 'integer' : 'number'),
    algebra: 'algebraic',
    isOrderSensitive,
    doc,
  }
}

/** A few function definitions that have signatures only. */
export const functions: FunctionDefinitions = {
  scalar: new Registry([
    scalar('plus', 2, 'number', ([a, b]) => Number(a) + Number(b)),
    scalar('upper', 1, 'string', ([a]) => toText(present(a)).toUpperCase()),
  ]),
  stats: new Registry([
    stats('count', 0, []),
    stats('sum', 1, []),
    stats('avg', 1, []),
    stats('quantile', 1, ['phi']),
    stats('values', 1, [], true),
  ]),
  rows: new Registry(
    ['shout', 'text', 'several', 'open'].map((name) => ({
      name,
      fieldParams: name === 'several' ? ['fields', 'patterns'] : [],
      doc,
    })),
  ),
  tables: new Registry([{ name: 'gaps', fieldParams: ['keys'], doc }]),
}
