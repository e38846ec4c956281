import { describe, expect, test } from 'vitest'
import type { Alert } from '../../../src/alerting/alert.ts'
import { SourceError, type RuleResult, type WrittenSample } from '../../../src/alerting/rules/index.ts'
import { RuleService, TestClock, type RuleServiceOptions } from '../../../src/alerting/service/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { createMemoryDocumentStore, type DocumentStore } from '../../../src/resources/index.ts'
import { MINUTE_MS, sample } from '../rules/environment.ts'

const START_MS = 1_773_140_400_000

const HIGH = { alert: 'High', expr: 'load > 0' }

function file(...groups: readonly object[]): { readonly name: string; readonly text: string } {
  return { name: 'rules.yaml', text: JSON.stringify({ groups }) }
}

/** A service for tests, which set the results of its expressions. */
class Harness {
  readonly clock = new TestClock()
  readonly store: DocumentStore
  readonly results = new Map<string, RuleResult | Promise<RuleResult>>()
  readonly evaluatedAt: number[] = []
  readonly written: WrittenSample[] = []
  readonly received: { readonly alert: Alert; readonly isStored: boolean }[] = []
  readonly faults: string[] = []
  readonly service: RuleService

  constructor(
    files: ConstructorParameters<typeof RuleService>[1],
    store: DocumentStore = createMemoryDocumentStore(() => 0n),
    overrides: Partial<RuleServiceOptions> = {},
    startMinute = -0.1,
  ) {
    this.store = store
    void this.moveTo(startMinute, () => Promise.resolve())
    const options: RuleServiceOptions = {
      backend: 'default',
      store,
      clock: this.clock,
      monotonicMs: () => 0,
      queries: {
        instant: async (expression, atMs) => {
          this.evaluatedAt.push((atMs - START_MS) / MINUTE_MS)
          return (await this.results.get(expression)) ?? []
        },
      },
      sink: { write: (samples) => void this.written.push(...samples) },
      externalLabels: Labels.empty,
      externalUrl: '',
      receive: (alerts) => {
        this.received.push(...alerts.map((alert) => ({ alert, isStored: this.states().length > 0 })))
        return Promise.resolve()
      },
      onFault: (message) => void this.faults.push(message),
      ...overrides,
    }
    this.service = new RuleService(options, files)
    this.service.start()
  }

  states(): readonly string[] {
    return this.store.read('default', (view) => view.list('alerting')).map(({ id }) => id)
  }

  async moveTo(minute: number, settle = (): Promise<void> => this.service.idle()): Promise<void> {
    await this.clock.moveTo(START_MS + minute * MINUTE_MS, settle)
  }

  /** Returns the alert states of each rule, keyed by the name of the rule. */
  alerts(): Readonly<Record<string, readonly string[]>> {
    const rules = this.service.status().flatMap((group) => group.rules)
    return Object.fromEntries(
      rules.map((rule) => [rule.name, rule.kind === 'alerting' ? rule.alerts.map(({ state }) => state) : []]),
    )
  }
}

describe('schedule', () => {
  test('each group is evaluated at multiples of its interval, by default one minute', async () => {
    const tested = new Harness([file({ name: 'a', rules: [HIGH] }, { name: 'b', interval: '2m', rules: [HIGH] })])
    await tested.moveTo(0)
    await tested.moveTo(4)
    expect(tested.evaluatedAt).toEqual([0, 0, 1, 2, 2, 3, 4, 4])
    expect(tested.service.figures).toEqual({ evaluations: 8, failures: 0, latenessMs: 0, waiting: 0 })
  })

  test('an offset shifts a group', async () => {
    const offsetOf = (id: string): number => (id === 'rules:["rules.yaml","b"]' ? MINUTE_MS / 2 : 0)
    const tested = new Harness([file({ name: 'a', rules: [HIGH] }, { name: 'b', rules: [HIGH] })], undefined, {
      offsetOf,
    })
    await tested.moveTo(2)
    expect(tested.evaluatedAt).toEqual([0, 0.5, 1, 1.5, 2])
  })

  test('a slow group misses rounds, and another group does not wait for it', async () => {
    const tested = new Harness([
      file({ name: 'slow', rules: [{ ...HIGH, expr: 'slow' }] }, { name: 'b', rules: [HIGH] }),
    ])
    const slow = Promise.withResolvers<RuleResult>()
    tested.results.set('slow', slow.promise)
    await tested.moveTo(0, () => Promise.resolve())
    await tested.moveTo(3, async () => {
      for (let i = 0; i < 20; i++) await Promise.resolve()
    })
    expect(tested.evaluatedAt).toEqual([0, 0, 1, 2, 3])
    expect(tested.service.figures.waiting).toBe(1)
    slow.resolve([])
    await tested.service.idle()
    await tested.moveTo(3.5)
    expect(tested.evaluatedAt).toEqual([0, 0, 1, 2, 3, 3])
    expect(tested.service.figures.waiting).toBe(0)
  })
})

describe('alerts', () => {
  test('the state of a group is stored before its alerts are handed over', async () => {
    const tested = new Harness([file({ name: 'g', rules: [HIGH] })])
    tested.results.set('load > 0', [sample(1, { host: 'a' })])
    await tested.moveTo(0)
    expect(tested.received.map(({ alert, isStored }) => [String(alert.labels), isStored])).toEqual([
      ['{alertname="High", host="a"}', true],
    ])
    expect(tested.states()).toEqual(['rules:["rules.yaml","g"]'])
    tested.results.clear()
    await tested.moveTo(1)
    expect(tested.received.at(-1)?.alert.endsAtMs).toBe(START_MS + MINUTE_MS)
    expect(tested.states()).toEqual([])
  })

  test('a state that cannot be stored is reported once and stored later; alerts are handed over', async () => {
    const store = createMemoryDocumentStore(() => 0n)
    let isFull = true
    const tested = new Harness([file({ name: 'g', rules: [HIGH] })], {
      read: (backend, work) => store.read(backend, work),
      write: (by, change) => (isFull ? Promise.reject(new Error('disk full')) : store.write(by, change)),
      backendsWith: () => [],
      epoch: () => '',
      close: () => Promise.resolve(),
    })
    tested.results.set('load > 0', [sample(1)])
    await tested.moveTo(0)
    await tested.moveTo(1)
    expect(tested.faults).toEqual(['the state of rules could not be written: disk full'])
    expect(tested.received.length).toBeGreaterThan(0)
    isFull = false
    await tested.moveTo(2)
    expect(tested.states()).toHaveLength(1)
  })

  test('a restart continues `for` after the second evaluation, without the time of the outage', async () => {
    const files = [file({ name: 'g', rules: [{ ...HIGH, for: '30m' }] })]
    const before = new Harness(files)
    before.results.set('load > 0', [sample(1)])
    await before.moveTo(0)
    await before.moveTo(15)
    await before.service.close()
    const after = new Harness(files, before.store, {}, 19.9)
    after.results.set('load > 0', [sample(1)])
    await after.moveTo(20)
    for (let minute = 21; minute < 36; minute++) {
      await after.moveTo(minute)
      expect(after.received.length, String(minute)).toBe(0)
    }
    await after.moveTo(36)
    expect(after.received.length).toBe(1)
  })

  test('a stored state of another form is reported, and the group starts without it', async () => {
    const files = [file({ name: 'g', rules: [HIGH] })]
    const before = new Harness(files)
    before.results.set('load > 0', [sample(1)])
    await before.moveTo(0)
    await before.service.close()
    const [id = ''] = before.states()
    const by = { backend: 'default', by: 'test', email: undefined }
    await before.store.write(by, (tx) => tx.putState(id, { alerts: 7 }))
    const after = new Harness(files, before.store)
    expect(after.faults).toEqual([expect.stringContaining('cannot be read, so `for` begins again')])
    after.results.set('load > 0', [sample(1)])
    for (const minute of [0, 1, 2]) await after.moveTo(minute)
    expect(after.alerts()).toEqual({ High: ['firing'] })
  })

  test('states of groups that no file has any more are removed at the start', async () => {
    const before = new Harness([file({ name: 'g', rules: [HIGH] })])
    before.results.set('load > 0', [sample(1)])
    await before.moveTo(0)
    await before.service.close()
    const after = new Harness([file({ name: 'h', rules: [HIGH] })], before.store)
    await after.service.idle()
    expect(after.states()).toEqual([])
  })
})

describe('reload', () => {
  test('equal rules keep their alerts, others begin without', async () => {
    const tested = new Harness([file({ name: 'g', rules: [{ ...HIGH, for: '5m' }] })])
    tested.results.set('load > 0', [sample(1)])
    await tested.moveTo(0)
    await tested.moveTo(1)
    tested.service.reload([file({ name: 'g', rules: [HIGH, { ...HIGH, alert: 'Other', for: '5m' }] })])
    expect(tested.alerts()).toEqual({ High: ['pending'], Other: [] })
    await tested.moveTo(2)
    expect(tested.alerts()).toEqual({ High: ['firing'], Other: ['pending'] })
  })

  test('a faulty file changes nothing', async () => {
    const tested = new Harness([file({ name: 'g', rules: [HIGH] })])
    await tested.moveTo(0)
    expect(() => tested.service.reload([{ name: 'rules.yaml', text: 'groups: 1' }])).toThrow(SourceError)
    const [one] = [file({ name: 'g', rules: [HIGH] })]
    expect(() => tested.service.reload([one, one])).toThrow('Two rule files are named "rules.yaml"')
    await tested.moveTo(1)
    expect(tested.evaluatedAt).toEqual([0, 1])
  })

  test('a group that is removed ends its series and its state', async () => {
    const tested = new Harness([file({ name: 'g', rules: [HIGH] }), { name: 'other', text: 'groups: []' }])
    tested.results.set('load > 0', [sample(1)])
    await tested.moveTo(0)
    await tested.moveTo(0.5)
    tested.service.reload([{ name: 'other', text: 'groups: []' }])
    await tested.service.idle()
    expect(tested.service.status()).toEqual([])
    expect(tested.states()).toEqual([])
    expect(tested.written.slice(2).map(({ labels, sample: { isStale } }) => [labels.metricName, isStale])).toEqual([
      ['ALERTS', true],
      ['ALERTS_FOR_STATE', true],
    ])
  })

  test('a group that is being evaluated is replaced afterwards', async () => {
    const tested = new Harness([file({ name: 'g', rules: [HIGH] })])
    const slow = Promise.withResolvers<RuleResult>()
    tested.results.set('load > 0', slow.promise)
    await tested.moveTo(0, () => Promise.resolve())
    tested.service.reload([file({ name: 'g', rules: [{ ...HIGH, annotations: { summary: 'new' } }] })])
    slow.resolve([sample(1)])
    await tested.service.idle()
    expect(tested.alerts()).toEqual({ High: ['firing'] })
    const [rule] = tested.service.status()[0]?.rules ?? []
    expect(rule?.kind === 'alerting' && String(rule.annotations)).toBe('{summary="new"}')
  })
})

test('an evaluation that the end interrupts hands nothing over', async () => {
  const tested = new Harness([file({ name: 'g', rules: [HIGH] })])
  const slow = Promise.withResolvers<RuleResult>()
  tested.results.set('load > 0', slow.promise)
  await tested.moveTo(0, () => Promise.resolve())
  const closing = tested.service.close()
  slow.resolve([sample(1)])
  await closing
  expect([tested.received, tested.states(), tested.faults]).toEqual([[], [], []])
})
