import { always, nowhere, type Interval } from '../src/base/index.ts'
import type { ValueTest } from '../src/data/index.ts'
import {
  and,
  column,
  not,
  or,
  test,
  type Expr,
  type LogicalPlan,
  type NamedAggregate,
  type SortKey,
} from '../src/plan/index.ts'
import { logsTable } from '../src/store/index.ts'
import { dayStartNs, traceId } from './datasets.ts'

const origin = nowhere
const content = column('content')
const word = (text: string): Expr => test(content, { kind: 'phrase', text, isFolded: true })
const on = (name: string, valueTest: ValueTest): Expr => test(column(name), valueTest)
const is = (name: string, ...values: (string | number)[]): Expr =>
  values.length === 1
    ? on(name, { kind: 'equals', value: values[0], isFolded: true, isTyped: true })
    : on(name, { kind: 'in', values, isFolded: true, isTyped: true })
const contains = (text: string): Expr => test(content, { kind: 'contains', text, isFolded: true })
const regexp = (pattern: string): Expr => test(content, { kind: 'regexp', pattern, isFolded: false })
const above = (name: string, min: number, isMinIncluded: boolean): Expr =>
  on(name, { kind: 'range', min, max: Infinity, isMinIncluded, isMaxIncluded: true })
const at = (clock: string): bigint => {
  const [hour, minute] = clock.split(':').map(Number)
  return dayStartNs + BigInt(hour * 3600 + minute * 60) * 1_000_000_000n
}
const between = (from: string, to: string): Interval => ({ startNs: at(from), endNs: at(to) })

function scan(predicate: Expr | undefined, columns: readonly string[] | undefined, range = always): LogicalPlan {
  return {
    kind: 'scan',
    table: 'logs',
    tableSchema: logsTable.schema,
    range,
    predicate,
    guard: undefined,
    columns,
    origin,
  }
}

function sort(input: LogicalPlan, keys: readonly SortKey[], limit: number | undefined, offset = 0): LogicalPlan {
  return { kind: 'sort', input, keys, offset, limit, partitionBy: [], rankName: undefined, origin }
}

const desc = (name: string): SortKey => ({ expr: column(name), direction: 'desc' })
const asc = (name: string): SortKey => ({ expr: column(name), direction: 'asc' })

/**
 * Returns the plan of `sort by (_time desc) | limit n` over a scan, which is a limit, since the scan returns the newest
 * rows first.
 */
function newest(predicate: Expr | undefined, limit: number, offset = 0, range = always): LogicalPlan {
  return { kind: 'limit', input: scan(predicate, undefined, range), offset, limit, origin }
}

function call(
  fn: string,
  args: readonly string[],
  name: string,
  extra: Partial<NamedAggregate['call']> = {},
): NamedAggregate {
  const made = {
    fn,
    args: args.map((arg) => column(arg)),
    params: [],
    limit: undefined,
    orderBy: [],
    filter: undefined,
  }
  return { name, type: 'any', call: { ...made, origin, ...extra } }
}

const n = call('count', [], 'n')

function by(input: LogicalPlan, keys: readonly (string | Expr)[], ...aggregates: NamedAggregate[]): LogicalPlan {
  return {
    kind: 'aggregate',
    input,
    keys: keys.map((key) =>
      typeof key === 'string'
        ? { name: key, expr: column(key), type: 'any' }
        : { name: '_time', expr: key, type: 'time' },
    ),
    aggregates,
    origin,
  }
}

const minute: Expr = {
  kind: 'bucket',
  arg: column('_time'),
  bucket: { kind: 'time', widthNs: 60_000_000_000n, offsetNs: 0n, zone: undefined },
  origin,
}
const quantile = (phi: number, name: string): NamedAggregate =>
  call('quantile', ['duration_ms'], name, { params: [phi] })
const avg = call('avg', ['duration_ms'], 'a')
const count = (predicate: Expr, columns: readonly string[] = [], range = always): LogicalPlan =>
  by(scan(predicate, columns, range), [], n)

/** Returns the 33 questions as plans in the form in which the optimizer leaves them. */
export function plans(seed: number, rows: number): readonly (readonly [string, LogicalPlan])[] {
  return [
    ['Q01 needle word, newest 100', newest(word('zyxquartz'), 100)],
    ['Q02 common word, newest 100', newest(word('request'), 100)],
    ['Q03 common word, count', count(word('request'))],
    ['Q04 two words', count(and([word('connection'), word('refused')]))],
    ['Q05 phrase', count(word('connection reset by peer'))],
    ['Q06 prefix, frequent words', count(test(content, { kind: 'phrase-prefix', text: 'conn', isFolded: true }))],
    ['Q07 prefix, rare words', count(test(content, { kind: 'phrase-prefix', text: 'user1234', isFolded: true }))],
    ['Q08 substring, frequent', count(contains('nection re'))],
    ['Q09 substring, rare', count(contains('deadbe'))],
    ['Q10 regexp with a literal', count(regexp('retry [45] of 5 for call to [a-m]'))],
    ['Q11 regexp without literals', count(regexp('[a-f]{7}[0-9]{2}'))],
    ['Q12 field + word, newest 100', newest(and([is('workload', 'checkout-api'), word('timeout')]), 100)],
    ['Q13 repeated field', count(and([is('level', 'error', 'warn'), is('namespace', 'payments')]))],
    ['Q14 exclusions + word', count(and([not(is('level', 'debug')), not(is('level', 'info')), word('request')]))],
    [
      'Q15 nest',
      count(
        and([
          or([is('level', 'error'), is('status', 503)]),
          or([is('namespace', 'payments'), is('namespace', 'discovery')]),
          not(word('retry')),
        ]),
      ),
    ],
    [
      'Q16 five minutes, newest 100',
      newest(and([is('level', 'error'), is('namespace', 'payments')]), 100, 0, between('13:00', '13:05')),
    ],
    ['Q17 top 100 by duration', sort(scan(is('level', 'error'), undefined), [desc('duration_ms')], 100)],
    ['Q18 deep page', newest(is('namespace', 'payments'), 100, Math.floor(rows / 100))],
    ['Q19 count of half a day', by(scan(undefined, [], between('06:17', '18:43')), [], n)],
    ['Q20 by level', by(scan(undefined, ['level']), ['level'], n)],
    ['Q21 by workload, top 10', sort(by(scan(undefined, ['workload']), ['workload'], n), [desc('n')], 10)],
    [
      'Q22 count if',
      by(
        scan(undefined, ['workload', 'level']),
        ['workload'],
        n,
        call('count', [], 'e', { filter: is('level', 'error') }),
      ),
    ],
    [
      'Q23 avg, exact p50, p99',
      by(scan(undefined, ['workload', 'duration_ms']), ['workload'], avg, quantile(0.5, 'p50'), quantile(0.99, 'p99')),
    ],
    ['Q24 exact distinct', by(scan(undefined, ['trace_id']), [], call('count_uniq', ['trace_id'], 'n'))],
    ['Q25 minutes', by(scan(undefined, ['_time']), [minute], n)],
    [
      'Q26 30 k groups, top 100',
      sort(
        by(scan(undefined, ['workload', 'pod', 'status', 'duration_ms']), ['workload', 'pod', 'status'], n, avg),
        [desc('n'), asc('pod'), asc('status')],
        100,
      ),
    ],
    [
      'Q27 many groups, top 10',
      sort(by(scan(undefined, ['trace_id']), ['trace_id'], n), [desc('n'), asc('trace_id')], 10),
    ],
    ['Q28 word over time by level', by(scan(word('timeout'), ['_time', 'level']), [minute, 'level'], n)],
    [
      'Q29 distinct values',
      {
        kind: 'distinct',
        input: scan(undefined, ['pod']),
        keys: ['pod'],
        hitsName: undefined,
        limit: undefined,
        origin,
      },
    ],
    ['Q30 JSON text of 10 k rows', newest(is('level', 'error'), 10_000)],
    ['Q31 trace look-up', newest(is('trace_id', traceId(seed, 17 % Math.max(1, Math.floor(rows / 4)))), 100)],
    ['Q32 ranges', count(and([above('duration_ms', 500, false), above('status', 500, true)]))],
    [
      'Q33 one hour, dashboard',
      by(
        scan(undefined, ['namespace', 'level', 'duration_ms'], between('09:00', '10:00')),
        ['namespace', 'level'],
        n,
        avg,
      ),
    ],
  ]
}
