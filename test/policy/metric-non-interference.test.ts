import { expect, test } from 'vitest'
import { Budget, SluiceError, always, nowhere, seededRandom, type Random } from '../../src/base/index.ts'
import { rowsBackend } from '../../src/backends/index.ts'
import { Labels, type StoredRow } from '../../src/data/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { promqlJson, queryPromqlRange } from '../../src/engine/metrics/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import type { Expr, LogicalPlan } from '../../src/plan/index.ts'
import { combineScopes } from '../../src/policy/scope/index.ts'
import { labelPredicateOf } from '../../src/server/label-predicate.ts'
import { labelScope } from '../../src/server/label-scope.ts'
import { SampleStore, samplesTable, standardCatalog } from '../../src/store/index.ts'

const names = ['up', 'requests_total', 'target_info']
const namespaces = ['shop', 'Shop', 'pay', '']
const clusters = ['c1', 'c2', 'a.b']

const queries = [
  'up',
  '{__name__=~".+"}',
  'sum by (namespace) (rate(requests_total[5m]))',
  'count(up{namespace!="shop"} or up{namespace="shop"})',
  'up / on (namespace, cluster) group_left requests_total',
  'up unless on (cluster) requests_total{namespace="pay"}',
  'absent(up{namespace="pay"})',
  'absent_over_time(requests_total{cluster="c2"}[5m])',
  'topk(2, requests_total)',
  'max_over_time(sum(up)[10m:1m])',
  'count_values("v", requests_total)',
  'label_replace(up, "n", "$1", "namespace", "(.*)")',
  'info(up)',
  'scalar(sum(up)) + vector(1)',
  'quantile(0.5, requests_total @ end())',
]

function store(series: readonly Labels[]): SampleStore {
  const made = new SampleStore()
  for (const labels of series) {
    for (let i = 0; i < 20; i++) made.append(labels, { timeMs: i * 60_000, value: i * (1 + labels.key.length) })
  }
  return made
}

const everySeries = names.flatMap((name) =>
  namespaces.flatMap((namespace) =>
    clusters.map((cluster) => Labels.of({ __name__: name, cluster, ...(namespace === '' ? {} : { namespace }) })),
  ),
)

function scopes(random: Random): readonly object[] {
  const condition = (): object => {
    const key = random.pick(['namespace', 'cluster', 'namespace', 'cluster', 'namespace', 'metric'])
    const op = random.pick([
      'match',
      'not_match',
      'eq',
      'ne',
      'contains',
      'istartswith',
      'regex',
      'notregex',
      'in',
      'exists',
    ])
    return {
      key,
      filters: [{ op, value: random.pick([...namespaces.slice(0, 3), ...clusters, 's', 'up', 'c*', '*op', 'c[12]']) }],
    }
  }
  const group = (): object => ({ operator: random.pick(['and', 'or']), conditions: [condition(), condition()] })
  return Array.from({ length: 1 + random.below(2) }, () =>
    random.next() < 0.5 ? { simple: group() } : { advanced: { metrics: group() } },
  )
}

/** By the row model over a row of labels: what the guard says without being a guard. */
async function isVisible(guard: Expr, labels: Labels): Promise<boolean> {
  const row: StoredRow = { timeNs: 0n, sequence: 0, row: new Map(labels.names.map((name) => [name, labels.get(name)])) }
  const engine = createEngine({
    backends: [rowsBackend(new Map([['samples', [row]]]), standardFunctions)],
    lint: 'off',
  })
  const scan: LogicalPlan = {
    kind: 'scan',
    table: 'samples',
    tableSchema: samplesTable.schema,
    range: always,
    predicate: undefined,
    guard: undefined,
    columns: undefined,
    origin: nowhere,
  }
  const plan: LogicalPlan = { kind: 'filter', input: scan, predicate: guard, origin: nowhere }
  return (await engine.queryPlan(plan, { disabledRules: ['*'] }).toArray()).length === 1
}

/** Whether matchers of labels can say a guard at all; one that they cannot hides everything. */
function isSayable(guard: Expr): boolean {
  try {
    labelPredicateOf(guard)
    return true
  } catch (error) {
    if (error instanceof SluiceError) return false
    throw error
  }
}

async function answer(text: string, source: SampleStore, scope: ReturnType<typeof combineScopes>): Promise<string> {
  const limits = { memoryBytes: 1 << 28, timeoutMs: 10_000, scanRows: 1_000_000 }
  const options = { source, budget: new Budget(limits, () => performance.now()), guard: labelScope({ scope }) }
  try {
    const result = await queryPromqlRange(text, { startMs: 600_000, endMs: 1_140_000, stepMs: 180_000 }, options)
    return Buffer.concat([...promqlJson(result)]).toString()
  } catch (error) {
    // Also what an error tells must not come from hidden series.
    if (error instanceof SluiceError) return error.diagnostics.map(({ code, message }) => `${code} ${message}`).join()
    throw error
  }
}

test('metric answers under a scope are those over the visible series', async () => {
  const whole = store(everySeries)
  let mixed = 0
  for (let seed = 1; seed <= 90; seed++) {
    const stored = scopes(seededRandom(seed))
    const scope = combineScopes(stored, { catalog: standardCatalog, functions: standardFunctions })
    const guard = scope?.('samples')
    const visible: Labels[] = []
    const canSay = guard === undefined || isSayable(guard)
    for (const labels of everySeries) {
      if (canSay && (guard === undefined || (await isVisible(guard, labels)))) visible.push(labels)
    }
    if (visible.length > 0 && visible.length < everySeries.length) mixed++
    const part = store(visible)
    for (const text of queries) {
      const about = `${text} under ${JSON.stringify(stored)}`
      expect(await answer(text, whole, scope), about).toBe(await answer(text, part, undefined))
    }
  }
  expect(mixed).toBeGreaterThan(20)
})
