import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import { monitorsDefinition, type MonitorCase } from '../../src/fuzz/monitors/fuzzer.ts'
import { monitors } from '../../src/fuzz/monitors/index.ts'
import {
  backtestAgrees,
  brokenIsRefused,
  sharedIsAlone,
  statesAgree,
  type CheckedMonitor,
} from '../../src/fuzz/monitors/laws.ts'
import { START_MS, START_NS, monitorData } from '../../src/fuzz/monitors/rows.ts'
import type { MonitorDefinition } from '../../src/alerting/monitors/index.ts'
import type { Round } from '../../src/fuzz/monitors/evaluation.ts'

test('100 random monitors break no law, and many of them alert', async () => {
  const report = await monitors.run({ runs: 100, seed: 7_000_000, maxFailures: 3 })
  expect(report.failures.map(({ shown, message }) => `${message}: ${shown}`)).toEqual([])
  expect(report.cases).toBe(100)
  // Most monitors must be accepted for the run to be meaningful.
  expect((report.notes.get('refused') ?? 0) / report.cases).toBeLessThan(0.25)
})

test('a case is read as it is written', () => {
  const { rows, seals, batchRows } = monitorData(seededRandom(5), 0)
  const given: MonitorCase = { body: { title: 'x' }, broken: [], rounds: 2, rows, seals, batchRows }
  const kept = JSON.parse(JSON.stringify(monitorsDefinition.write(given))) as ReturnType<
    typeof monitorsDefinition.write
  >
  expect(monitorsDefinition.read(kept)).toEqual(given)
})

describe('laws are broken when what they speak of is', () => {
  const rows = [0, 1, 2, 3].map((minute) => ({
    timeNs: START_NS + BigInt(minute) * 60_000_000_000n - 1n,
    sequence: minute,
    row: new Map([['level', 'error']]),
  }))
  const expression = 'level:error | stats by (level) count() as n'
  const body = {
    model: {
      queries: [{ name: 'a', dataType: 'logs', expression }],
      thresholds: [{ name: 't', inputName: 'a', operator: 'gt', values: [0] }],
    },
  }

  async function checked(broken: MonitorCase['broken'] = body): Promise<CheckedMonitor> {
    const given = { body, broken, rounds: 5, rows, seals: [2], batchRows: 4096 }
    const ground = await monitorsDefinition.ground(given)
    return ground.prepare(given, 1)
  }

  /** Wraps the monitor's rounds so that the second evaluation has one additional label set. */
  function altered({ rounds }: CheckedMonitor): CheckedMonitor['rounds'] {
    return async (definition: MonitorDefinition) => {
      const each = await rounds(definition)
      return each.map((round, i): Round => {
        if (i !== 1) return round
        const [instance] = round.step.record.state.instances.values()
        if (instance === undefined) throw new Error('the monitor has no instance')
        const labels = Labels.of({ level: 'other' })
        const { record, transitions } = round.step
        const instances = new Map([...record.state.instances, [labels.key, { ...instance, labels }]])
        const more = { labels, from: 'Normal', to: { ...instance, labels }, atMs: round.atMs } as const
        const step = {
          ...round.step,
          record: { ...record, state: { ...record.state, instances } },
          transitions: [...transitions, more],
        }
        return { ...round, step }
      })
    }
  }

  test('the planted monitor alerts and keeps all laws', async () => {
    const sound = await checked()
    const each = await sound.rounds(sound.definition as MonitorDefinition)
    const states = each.map(({ step }) => [...step.record.state.instances.values()].map(({ state }) => state).join(' '))
    expect(states).toEqual(['Alerting', 'Alerting', 'Alerting', 'Alerting', 'Normal'])
    for (const law of [statesAgree, backtestAgrees, sharedIsAlone, brokenIsRefused])
      expect(await law.check(sound), law.name).toBeUndefined()
  })

  test('states-agree, backtest-agrees, shared-is-alone: one label set more', async () => {
    for (const law of [statesAgree, backtestAgrees, sharedIsAlone]) {
      const sound = await checked()
      expect(await law.check({ ...sound, rounds: altered(sound) }), law.name).toMatch(/differ.*level="other"|other/)
    }
  })

  test('broken-is-refused: an error without a position, and one of another kind', async () => {
    expect(await brokenIsRefused.check(await checked({ model: { queries: [{ expression: '* | stats (' }] } }))).toBe(
      undefined,
    )
    const sound = await checked()
    const engine = Object.create(sound.model.engine, {
      planOfText: {
        value: () => {
          throw new TypeError('planted')
        },
      },
    }) as CheckedMonitor['model']['engine']
    expect(await brokenIsRefused.check({ ...sound, model: { ...sound.model, engine } })).toMatch(/planted/)
  })

  test('a round is one interval after the other from the first on', async () => {
    const sound = await checked()
    const each = await sound.rounds(sound.definition as MonitorDefinition)
    expect(each.map(({ atMs }) => (atMs - START_MS) / 60_000)).toEqual([0, 1, 2, 3, 4])
  })
})
