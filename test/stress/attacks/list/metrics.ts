import type { Attack } from '../attack.ts'

const expression = (name: string, query: string, stepSeconds = 15): Attack => ({
  name,
  isOne: true,
  isWorst: name === 'subqueries in subqueries',
  run: (caller) => caller.queryRange(query, stepSeconds),
})

const nested = (count: number, start: string, wrap: (inner: string) => string): string =>
  Array.from({ length: count }).reduce<string>((inner) => wrap(inner), start)

export const metricAttacks: readonly Attack[] = [
  expression('300 x m + at 1 s', `${'m + '.repeat(300)}m`, 1),
  expression(
    'label_join doubling',
    nested(35, 'm', (inner) => `label_join(${inner}, "pod", "", "pod", "pod")`),
    60,
  ),
  expression(
    'label_replace doubling',
    nested(35, 'm', (inner) => `label_replace(${inner}, "pod", "$1$1", "pod", "(.*)")`),
    60,
  ),
  expression(
    'subqueries in subqueries',
    nested(4, 'm', (inner) => `max_over_time((${inner})[1h:1s])`),
    1,
  ),
  expression('count_values', 'count_values("v", m) + on (v) group_right count_values("v", m * 1.1)', 1),
  expression('count_values of all values', 'count_values("v", m * time())', 1),
  expression('histogram of everything', `sort(${'m or '.repeat(100)}quantile by (pod) (0.5, m))`, 1),
]
