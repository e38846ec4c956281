// @module-tag slow
import { describe, test } from 'vitest'
import { nowhere } from '../../../src/base/index.ts'
import { toText, type ValueTest } from '../../../src/data/index.ts'
import { column, test as testExpr, type AggregateCall, type Expr, type LogicalPlan } from '../../../src/plan/index.ts'
import { call, largeLogs } from './large-logs.ts'
import { Draw, randomPredicate } from './random-plans.ts'

/** Enough rows to use indexes, zones and kernels: three sealed segments and unsealed rows. */
const logs = largeLogs({ rows: 3600, seed: 3, sealedAfter: [1500, 1501, 3300] }, (row, i) => {
  if (i % 19 === 0) row.set('content', `Übung ${i} ${toText(row.get('content') ?? null)}`)
  if (i % 23 === 0) row.set('pod', i)
})
const { agree } = logs
const whole = logs.scan(300, 3500)

function scan(predicate: Expr | undefined, guard?: Expr): LogicalPlan {
  return { ...whole, predicate, guard }
}

function group(input: LogicalPlan, keys: readonly Expr[], calls: readonly AggregateCall[]): LogicalPlan {
  return {
    kind: 'aggregate',
    input,
    keys: keys.map((expr, i) => ({ name: `k${i}`, expr, type: 'any' })),
    aggregates: calls.map((one, i) => ({ name: `r${i}`, type: 'any', call: one })),
    origin: nowhere,
  }
}

const count = call('count', [])
const content = (test: ValueTest): Expr => testExpr(column('content'), test)
const words = ['request', 'timeout', 'connection', 'ms', 'übung', 'zyxquartz']

describe('larger tables', () => {
  test.each(words)('tests of texts about %s', async (text) => {
    const tests: ValueTest[] = [
      { kind: 'phrase', text, isFolded: true },
      { kind: 'phrase', text: text.toUpperCase(), isFolded: true },
      { kind: 'phrase', text, isFolded: false },
      { kind: 'phrase', text: `${text} `, isFolded: true },
      { kind: 'phrase-prefix', text: text.slice(0, 3), isFolded: true },
      { kind: 'contains', text: text.slice(1), isFolded: true },
      { kind: 'contains', text: text.slice(1, 3).toUpperCase(), isFolded: true },
      { kind: 'contains', text: text.slice(1), isFolded: false },
      { kind: 'glob', parts: ['', text.slice(0, 2), 'e', ''], isFolded: true },
      { kind: 'starts-with', text, isFolded: true },
      { kind: 'sequence', phrases: [text, 'after'], isFolded: true },
      { kind: 'contains-all', phrases: [text, 'after', 'ms'], isFolded: false },
      { kind: 'contains-any', phrases: [text, 'after'], isFolded: true },
      { kind: 'regexp', pattern: `${text} [a-z0-9]+`, isFolded: false },
    ]
    for (const test of tests) await agree(group(scan(content(test)), [], [count]))
  })

  test('conditions so expensive that segments are read in pieces', async () => {
    const patterns = Array.from({ length: 12 }, (_, i) => `${words[i % words.length]?.slice(1)}.*[${i % 10}z]`)
    const either: Expr = {
      kind: 'or',
      args: patterns.map((pattern, i) => content({ kind: 'regexp', pattern, isFolded: i % 2 === 0 })),
      origin: nowhere,
    }
    await agree(scan(either))
    await agree(scan(either, content({ kind: 'contains', text: 'e', isFolded: true })))
    await agree(group(scan(either), [column('level')], [count]))
    for (const direction of ['asc', 'desc'] as const) {
      const keys = [{ expr: column('_time'), direction }]
      const top = { partitionBy: [], limit: 20, offset: 3, rankName: undefined, origin: nowhere }
      await agree({ kind: 'sort', input: scan(either), keys, ...top })
    }
  })

  test('random predicates under random guards', async () => {
    const draw = new Draw(11)
    for (let i = 0; i < 25; i++) {
      const guard = draw.chance(3) ? randomPredicate(draw, 1) : undefined
      await agree({
        kind: 'limit',
        input: scan(randomPredicate(draw), guard),
        offset: draw.below(300),
        limit: 40,
        origin: nowhere,
      })
    }
  })

  test('groups', async () => {
    const level = column('level')
    const error = testExpr(level, { kind: 'equals', value: 'error', isFolded: true, isTyped: true })
    const minute: Expr = {
      kind: 'bucket',
      arg: column('_time'),
      bucket: { kind: 'time', widthNs: 1_800_000_000_000n, offsetNs: 7n, zone: undefined },
      origin: nowhere,
    }
    const calls = [
      count,
      call('count', ['level'], { filter: error }),
      call('count_empty', ['level', 'duration_ms']),
      call('sum', ['duration_ms']),
      call('avg', ['duration_ms']),
      call('avg', ['status']),
      call('sum', ['status'], { filter: error }),
      call('min', ['duration_ms']),
      call('max', ['pod']),
      call('quantile', ['duration_ms'], { params: [0.5] }),
      call('quantile', ['duration_ms'], { params: [0.99] }),
      call('median', ['pod']),
      call('count_uniq', ['trace_id']),
      call('count_uniq', ['workload'], { filter: error }),
      call('uniq_values', ['env']),
    ]
    for (const keys of [
      [],
      [level],
      [minute],
      [minute, level],
      [column('env'), column('cluster'), column('status')],
      [column('duration_ms')],
    ]) {
      const some = keys.length > 2 || keys[0]?.kind === 'column' ? calls.slice(0, 9) : calls
      await agree(group(scan(undefined), keys, some))
      await agree(
        group(
          scan(error, testExpr(column('env'), { kind: 'equals', value: 'prod', isFolded: true, isTyped: true })),
          keys,
          calls,
        ),
      )
    }
  })

  test('top rows and top groups', async () => {
    const sorted = (input: LogicalPlan, name: string, direction: 'asc' | 'desc', limit: number): LogicalPlan => ({
      kind: 'sort',
      input,
      keys: [{ expr: column(name), direction }],
      offset: 3,
      limit,
      partitionBy: [],
      rankName: 'rank',
      origin: nowhere,
    })
    const filters = [
      undefined,
      testExpr(column('level'), { kind: 'equals', value: 'error', isFolded: true, isTyped: true }),
      content({ kind: 'phrase', text: 'zyxquartz', isFolded: true }),
      content({ kind: 'phrase', text: 'timeout', isFolded: true }),
    ]
    for (const filter of filters) {
      for (const direction of ['asc', 'desc'] as const) {
        for (const name of ['duration_ms', 'status', 'pod', '_time', 'absent'])
          await agree(sorted(scan(filter), name, direction, 25))
        await agree(sorted(group(scan(filter), [column('workload')], [count]), 'r0', direction, 10))
        await agree(
          sorted(
            group(scan(filter), [column('pod'), column('status')], [call('avg', ['duration_ms'])]),
            'r0',
            direction,
            10,
          ),
        )
      }
    }
  })
})
