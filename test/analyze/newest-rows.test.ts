import { describe, expect, test } from 'vitest'
import { bind, canReturnNewest, newestRows } from '../../src/analyze/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { lower, parse } from '../../src/lang/log/index.ts'
import type { Dialect, LogicalPlan } from '../../src/plan/index.ts'
import { standardCatalog } from '../../src/store/index.ts'

function planOf(text: string, dialect: Dialect = 'native'): LogicalPlan {
  const { ast, diagnostics } = parse(text, { dialect })
  expect(diagnostics).toEqual([])
  const plan = lower(ast, { dialect, nowNs: 0n, table: 'logs', textField: 'content' })
  return bind(plan, { catalog: standardCatalog, functions: standardFunctions, dialect }).plan
}

describe('newest rows come of newest stored rows', () => {
  test.each([
    '*',
    'level:error | filter pod:p1',
    '* | fields _time, pod | extract "a<b>" from pod',
    '* | copy _time as t | delete t',
    '* | time_add 5m',
    '* | unpack_json from content | unroll by (tags)',
  ])('%s', (text) => expect(canReturnNewest(planOf(text))).toBe(true))

  test.each([
    '* | fields pod',
    '* | delete _t*',
    '* | rename _time as t',
    '* | rename pod as _time',
    '* | math 1 as _time',
    '* | format "<pod>" as _time',
    '* | sort by (pod)',
    '* | stats count()',
    '* | join by (pod) (*)',
    '* | union (*)',
    '* | limit 3',
    '* | running_stats count() as n',
  ])('%s does not', (text) => expect(canReturnNewest(planOf(text))).toBe(false))
})

describe('queries for the newest rows', () => {
  const windowOf = (text: string): string | undefined => {
    const found = newestRows(planOf(text))
    return found === undefined ? undefined : `${found.offset} ${found.limit} ${found.stages.length}`
  }

  test.each([
    ['* | limit 5', '0 5 1'],
    ['* | limit 20 | offset 5 | limit 7', '5 7 3'],
    ['* | offset 9 | limit 3 | fields _time', '9 3 2'],
    ['* | limit 4 | offset 4', '4 0 2'],
    ['level:error | sort by (_time desc) limit 5', '0 5 1'],
    ['* | sort by (_time desc) offset 2 limit 5 | limit 1 | delete pod', '2 1 2'],
    ['* | sort by (_time desc) | limit 8 | math 1 as one', '0 8 2'],
    ['* | sort by (_time) desc limit 2', '0 2 1'],
    ['* | first 3 by (_time desc)', '0 3 1'],
    ['* | last 3 by (_time)', '0 3 1'],
  ])('%s', (text, expected) => expect(windowOf(text)).toBe(expected))

  test.each([
    '*',
    '* | offset 5',
    '* | sort by (_time desc)',
    '* | sort by (_time) limit 5',
    '* | sort by (_time desc, pod) limit 5',
    '* | sort by (_time desc) partition by (pod) limit 5',
    '* | sort by (_time desc) limit 5 rank as r',
    // The filter and the unroll change the number of rows after the limit.
    '* | limit 5 | filter level:error',
    '* | limit 5 | unroll by (tags)',
    // The inner limit already selects rows in a different order.
    '* | sort by (pod) | limit 5 | sort by (_time desc) limit 2',
    '* | limit 5 | sort by (_time desc) limit 2',
    '* | limit 5 | fields pod',
  ])('%s is none', (text) => expect(windowOf(text)).toBeUndefined())
})
