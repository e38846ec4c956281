// @module-tag slow
import { describe, test } from 'vitest'
import { nowhere, present } from '../../../src/base/index.ts'
import { toText } from '../../../src/data/index.ts'
import {
  column,
  test as testExpr,
  type AggregateCall,
  type LogicalPlan,
  type NamedWindow,
  type SortKey,
} from '../../../src/plan/index.ts'
import { call, largeLogs } from './large-logs.ts'
import { Draw } from './random-plans.ts'

/** Just enough rows for radix sorts and for the first rows of partitions. Some fields have several types. */
const logs = largeLogs({ rows: 620, seed: 5, sealedAfter: [200, 201, 500] }, (row, i) => {
  row.set('odd', present([i % 7, `${i % 5}`, 2n ** 60n + BigInt(i % 3), 0.1 * (i % 9)][i % 4]))
  row.set('large', 2 ** 51 + (i % 100))
  row.set('text', `t${i % 30} ${toText(row.get('level') ?? null)}`)
})
const scan = logs.scan(0, 619)
const fields = ['duration_ms', 'level', 'pod', 'odd', 'large', 'text', '_time', 'absent', 'workload', 'status']
const functions =
  'count count_empty sum avg min max count_uniq any row_max stddev median first last sum_len rate_sum uniq_values'.split(
    ' ',
  )

function randomKeys(draw: Draw): SortKey[] {
  const names = draw.pick([
    ['_time'],
    ['duration_ms', '_time'],
    ['status'],
    ['odd', 'level'],
    ['text', 'absent'],
    ['pod'],
  ])
  return names.map((name) => ({ expr: column(name), direction: draw.pick(['asc', 'desc']) }))
}

function randomCall(draw: Draw): AggregateCall {
  const fn = draw.pick(functions)
  const args = fn === 'count' ? draw.some(fields, 2) : [draw.pick(fields)]
  const filter = draw.chance(3)
    ? testExpr(column('level'), { kind: 'equals', value: 'error', isFolded: true, isTyped: true })
    : undefined
  return call(fn, args, { filter })
}

function randomNode(draw: Draw): LogicalPlan {
  const partitionBy = draw
    .some(['level', 'pod', 'workload', 'odd', 'duration_ms', 'text'], 2)
    .map((name) => column(name))
  const kinds: (() => LogicalPlan)[] = [
    () => ({
      kind: 'window',
      input: scan,
      partitionBy,
      orderBy: draw.chance(4) ? [] : randomKeys(draw),
      calls: Array.from({ length: 2 }, (_, i): NamedWindow => ({
        name: `w${i}`,
        type: 'any',
        call: randomCall(draw),
        frame: draw.pick(['partition', 'running']),
      })),
      origin: nowhere,
    }),
    () => ({
      kind: 'sort',
      input: scan,
      keys: randomKeys(draw),
      offset: draw.below(3),
      limit: draw.chance(5) ? undefined : draw.pick([0, 1, 3, 40]),
      partitionBy,
      rankName: draw.chance(2) ? 'rank' : undefined,
      origin: nowhere,
    }),
    () => ({
      kind: 'limit-by',
      input: scan,
      keys: partitionBy,
      offset: draw.below(3),
      limit: draw.below(4),
      origin: nowhere,
    }),
  ]
  return draw.pick(kinds)()
}

describe('windows and the first rows of partitions', () => {
  for (const first of [0, 8, 16, 24]) {
    test(`are the rows of the model, seeds ${first} to ${first + 7}`, async () => {
      for (let seed = first; seed < first + 8; seed++) {
        await logs.agree(randomNode(new Draw(seed)))
      }
    })
  }
})
