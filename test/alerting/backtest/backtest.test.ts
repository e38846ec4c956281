import { describe, expect, test } from 'vitest'
import { backtest, type BacktestTransition } from '../../../src/alerting/backtest/index.ts'
import { passQuery } from '../../../src/alerting/backtest/pass-query.ts'
import { isWorthwhile, passesOf } from '../../../src/alerting/backtest/point-grid.ts'
import { RoundQueries } from '../../../src/alerting/backtest/rounds.ts'
import {
  encodeOutcome,
  evaluateMonitor,
  initialRecord,
  monitorDefinition,
  runQueries,
  type MonitorDefinition,
  type QueryOutcome,
  type QueryTools,
} from '../../../src/alerting/monitors/index.ts'
import { readNotifyConfig } from '../../../src/alerting/notify/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { decode, monitor as monitorSchema } from '../../../src/wire/index.ts'
import { MINUTE_MS, START_MS, generatedMonitors, generatedTools } from './generated.ts'

const TO_MS = START_MS + 40 * MINUTE_MS
const pause = (): Promise<void> => Promise.resolve()

/** Encodes an outcome with its series in a fixed order, because the order of series has no meaning. */
function outcomeJson(outcome: QueryOutcome): object {
  const json = encodeOutcome(outcome)
  if ('error' in json) return json
  const sorted = json.outputs.map((output) => ({
    ...output,
    series: output.series.toSorted((a, b) => (JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1)),
  }))
  return { outputs: sorted }
}

interface Round {
  readonly atMs: number
  readonly outcome: QueryOutcome
}

/** Evaluates each round with a separate query, as the server does. The backtest must give the same outcomes. */
async function oneByOne(definition: MonitorDefinition, tools: QueryTools): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let atMs = START_MS; atMs < TO_MS; atMs += definition.intervalMs)
    rounds.push({ atMs, outcome: await runQueries(definition, atMs, tools) })
  return rounds
}

async function transitionsOf(definition: MonitorDefinition, rounds: readonly Round[]): Promise<readonly string[]> {
  const found: string[] = []
  let record = initialRecord
  const environment = { externalLabels: Labels.empty, externalUrl: '', query: () => Promise.resolve([]) }
  for (const { atMs, outcome } of rounds) {
    const step = await evaluateMonitor(definition, record, outcome, atMs, environment)
    record = step.record
    for (const { from, to } of step.transitions)
      found.push(transitionText({ atMs, labels: to.labels, from, to: to.state, reason: to.reason }))
  }
  return found.toSorted()
}

function transitionText({ atMs, labels, from, to, reason }: BacktestTransition): string {
  return `${(atMs - START_MS) / MINUTE_MS} ${labels.toString()} ${from} ${to} ${reason ?? ''}`
}

test.each([1, 2, 3, 4])('answers and transitions equal those of one query for each round, seed %i', async (seed) => {
  const tools = generatedTools(seed)
  for (const definition of generatedMonitors(seed)) {
    const { intervalMs } = definition
    const text = JSON.stringify(definition.queries)
    const rounds = await oneByOne(definition, tools)
    const range = { firstMs: START_MS, lastMs: rounds.at(-1)?.atMs ?? 0, intervalMs }
    const queries = await RoundQueries.open(definition, range, tools, pause)
    const outcomeAt = await queries.read(rounds.map(({ atMs }) => atMs))
    for (const { atMs, outcome } of rounds)
      expect(outcomeJson(await outcomeAt(atMs)), `${text} at ${atMs}`).toEqual(outcomeJson(outcome))
    const { transitions } = await backtest({ definition, fromMs: START_MS, toMs: TO_MS, tools })
    expect(transitions.map(transitionText).toSorted(), text).toEqual(await transitionsOf(definition, rounds))
  }
})

const ABOVE_ZERO: readonly object[] = [{ name: 't', inputName: 'q', operator: 'gt', values: [0] }]

function definitionOf(query: object, more: object = {}, thresholds = ABOVE_ZERO): MonitorDefinition {
  const body = { title: 'T', model: { queries: [{ name: 'q', ...query }], thresholds }, ...more }
  return monitorDefinition('t', decode(monitorSchema, body))
}

describe('a monitor without thresholds', () => {
  const tools = generatedTools(1)
  const alertingRounds = async (expression: string): Promise<readonly number[]> => {
    const definition = definitionOf({ dataType: 'logs', expression }, { noDataState: 'NoData' }, [])
    const { transitions } = await backtest({ definition, fromMs: START_MS, toMs: TO_MS, tools })
    expect(transitions.filter(({ to }) => to === 'NoData')).toEqual([])
    return transitions.flatMap(({ to, atMs }) => (to === 'Alerting' ? [(atMs - START_MS) / MINUTE_MS] : []))
  }

  test('does not breach while a search finds nothing', async () => {
    expect(await alertingRounds('level:nowhere')).toEqual([])
  })

  test('breaches while a search finds rows', async () => {
    const minutes = await alertingRounds('level:error')
    expect(minutes.length).toBeGreaterThan(1)
    // The generated data has a gap between minute 15 and minute 25.
    expect(minutes.filter((minute) => minute > 17 && minute < 25)).toEqual([])
  })

  test('breaches with a count of no rows that its query asks for', async () => {
    expect(await alertingRounds('level:nowhere | stats count() as n')).toEqual([0])
  })
})

describe('passes', () => {
  const tools = generatedTools(1)
  const grid = async (query: object) => {
    const { queries, intervalMs } = definitionOf(query)
    const range = { firstMs: START_MS, lastMs: TO_MS, intervalMs }
    const found = await passQuery(queries[0] ?? {}, 0, range, tools)
    return found?.grid
  }
  const log = (expression: string, from = '-5m', more: object = {}): object => ({
    dataType: 'logs',
    expression,
    relativeTimerange: { from },
    ...more,
  })

  test('a window of n intervals is read in n passes', async () => {
    const found = await grid(log('level:error | stats by (workload) count() as n'))
    expect(found).toEqual({ lastMs: 0, stepMs: 5 * MINUTE_MS, count: 1 })
    expect(found && passesOf(found, MINUTE_MS)).toBe(5)
  })

  test('series with steps of the interval are read in one pass', async () => {
    const more = { queryType: 'range', rollup: { time: '1m' } }
    const found = await grid(log('level:error | stats by (workload) count() as n', '-5m', more))
    expect(found).toEqual({ lastMs: 0, stepMs: MINUTE_MS, count: 5 })
    expect(found && passesOf(found, MINUTE_MS)).toBe(1)
  })

  test('metrics are one range query', async () => {
    expect(await grid({ dataType: 'metrics', expression: 'rate(errors_total[5m])' })).toEqual({
      lastMs: 0,
      stepMs: MINUTE_MS,
      count: 1,
    })
  })

  test.each([
    'relative _time: _time:3m | stats count() as n',
    'rows that depend on each other: * | limit 5 | stats count() as n',
    'subquery: size:in(level:error | fields size) | stats count() as n',
    'order above the aggregation: * | stats by (workload) count() as n | limit 1',
    'changed time: * | rename _time as t | stats by (workload) count() as n',
    'other name of the time: * | rename timestamp as t | stats by (workload) count() as n',
    'filter on all fields: * | stats by (workload) count() as n | filter *:a',
  ])('no passes with %s', async (named) => {
    expect(await grid(log(named.slice(named.indexOf(': ') + 2)))).toBeUndefined()
  })

  test('windows that are much shorter than the interval are asked one by one', () => {
    expect(isWorthwhile({ lastMs: 0, stepMs: MINUTE_MS, count: 1 }, 60 * MINUTE_MS, 1000)).toBe(false)
    expect(isWorthwhile({ lastMs: 0, stepMs: 60 * MINUTE_MS, count: 1 }, MINUTE_MS, 1000)).toBe(true)
    expect(isWorthwhile({ lastMs: 0, stepMs: 60 * MINUTE_MS, count: 1 }, MINUTE_MS, 60)).toBe(false)
  })
})

describe('reports', () => {
  const tools = generatedTools(1)
  const definition = definitionOf({ dataType: 'metrics', expression: 'vector(1)' })

  test('rounds lie on the grid of the interval, the end of the range excluded', async () => {
    const fromMs = START_MS + 30_000
    const { rounds, firstMs, lastMs } = await backtest({ definition, fromMs, toMs: TO_MS, tools })
    expect([rounds, firstMs, lastMs]).toEqual([39, START_MS + MINUTE_MS, TO_MS - MINUTE_MS])
  })

  test('deliveries are counted as grouping makes them', async () => {
    const toMs = START_MS + 9 * 60 * MINUTE_MS
    const { notifications, roundsByState } = await backtest({ definition, fromMs: START_MS, toMs, tools })
    // The first notification is sent after 30 s, then one every 4 h.
    expect([...notifications]).toEqual([['receiver', { firing: 3, resolved: 0 }]])
    expect([...roundsByState]).toEqual([['Alerting', 540]])
  })

  test('routes of a configuration decide who receives', async () => {
    const config = readNotifyConfig(
      'route: { receiver: a, group_wait: 0s, routes: [{ receiver: b, matchers: [alertname="T"] }] }\n' +
        'receivers: [{ name: a }, { name: b, webhook_configs: [{ url: "https://example.com/" }] }]\n',
      () => '',
    )
    const { notifications } = await backtest({ definition, fromMs: START_MS, toMs: TO_MS, tools, config })
    expect(notifications.get('b')).toEqual({ firing: 1, resolved: 0 })
    expect(notifications.get('a')).toEqual({ firing: 0, resolved: 0 })
  })

  test('a query that fails is an error of its rounds', async () => {
    const failing = definitionOf(
      { dataType: 'metrics', expression: '{job=~".+"}[1m] + 1' },
      { executionErrorState: 'Error' },
    )
    const { errors, roundsByState } = await backtest({ definition: failing, fromMs: START_MS, toMs: TO_MS, tools })
    expect(errors).toMatchObject({ rounds: 40, firstMs: START_MS })
    expect([...roundsByState]).toEqual([['Error', 40]])
  })

  test('too many rounds are refused', async () => {
    await expect(backtest({ definition, fromMs: 0, toMs: START_MS, tools })).rejects.toThrow('at most 1000000 rounds')
  })
})
