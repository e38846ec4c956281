import { afterEach, expect, test, vi } from 'vitest'
import type { QueryOutcome } from '../../../src/alerting/index.ts'
import { readNotifyConfig } from '../../../src/alerting/notify/index.ts'
import { AlertingService, TestClock } from '../../../src/alerting/service/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { createMemoryDocumentStore, type DocumentBody, type DocumentStore } from '../../../src/resources/index.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const actor = { backend: 'default', by: 'test', email: undefined }

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const CONFIG = `
route: { receiver: team, group_wait: 0s, group_interval: 1s }
receivers: [{ name: team, webhook_configs: [{ url: 'http://hook.example.com/' }] }]
`

const noRows: QueryOutcome = { outputs: [] }
const oneRow: QueryOutcome = {
  outputs: [
    {
      name: 'q',
      series: [{ labels: Labels.empty, points: [{ timeMs: 0, value: 1 }], columns: new Map() }],
      countsRows: false,
    },
  ],
}

/** A service whose queries stay in flight until the test ends them. */
class Harness {
  readonly clock = new TestClock()
  readonly store: DocumentStore
  answer = noRows
  readonly faults: string[] = []
  /** Statuses of the notifications sent so far. */
  readonly sent: string[] = []
  /** Queries in flight. `second` is the evaluation time in seconds. */
  readonly inFlight: { readonly id: string; readonly second: number; readonly end: () => void }[] = []

  constructor(store = createMemoryDocumentStore(() => 0n)) {
    this.store = store
  }

  async open(monitors: Readonly<Record<string, DocumentBody>>): Promise<AlertingService> {
    await this.store.write(actor, (tx) => {
      for (const [id, body] of Object.entries(monitors)) tx.put('monitor', id, body)
    })
    await this.moveTo(0)
    const service = new AlertingService({
      backend: 'default',
      store: this.store,
      config: readNotifyConfig(CONFIG, () => ''),
      environment: { externalLabels: Labels.empty, externalUrl: '' },
      clock: this.clock,
      runQueries: ({ id }, atMs) =>
        new Promise((done) => {
          const query = { id, second: (atMs - START_MS) / 1000, end: () => done(this.answer) }
          this.inFlight.push(query)
        }),
      runTemplateQuery: () => Promise.resolve([]),
      maySilence: () => true,
      send: ({ status }) => {
        this.sent.push(status)
        return Promise.resolve({ kind: 'success' })
      },
      onFault: (message) => void this.faults.push(message),
    })
    ends.push(async () => {
      const closed = service.close()
      await this.endAll()
      await closed
    })
    service.start()
    return service
  }

  async moveTo(seconds: number): Promise<void> {
    await this.clock.moveTo(START_MS + seconds * 1000, () => Promise.resolve())
  }

  /** Ends all queries in flight and gives the service time to start the next ones. */
  async endAll(): Promise<void> {
    for (const { end } of this.inFlight.splice(0)) end()
    for (let i = 0; i < 20; i++) await new Promise<void>((done) => setImmediate(done))
  }

  lines(): readonly string[] {
    return this.inFlight.map(({ id, second }) => `${id}@${second}`).toSorted()
  }
}

/**
 * Returns a monitor that is evaluated every second. Its query is unique, so it shares no answer with other monitors.
 */
function monitorOf(word: string): DocumentBody {
  return {
    title: word,
    evaluationInterval: { interval: '1s' },
    model: { queries: [{ name: 'q', dataType: 'logs', expression: word }] },
  }
}

const everySecond: DocumentBody = { ...monitorOf('level:error'), title: 'each second' }

test('a monitor whose evaluation is in flight is not evaluated again, and then at the latest time only', async () => {
  const harness = new Harness()
  const service = await harness.open({ a: everySecond })
  expect(harness.lines()).toEqual(['a@0'])
  await harness.moveTo(30)
  expect(harness.lines()).toEqual(['a@0'])
  expect(service.figures.waiting).toBe(1)
  await harness.endAll()
  expect(harness.lines()).toEqual(['a@30'])
  await harness.endAll()
  expect(harness.lines()).toEqual([])
})

test('monitors with slow queries leave room for others', async () => {
  const harness = new Harness()
  const slow = ['s1', 's2', 's3', 's4', 's5'].map((id): [string, DocumentBody] => [id, monitorOf(id)])
  await harness.open(Object.fromEntries(slow))
  // The service learns from the first evaluations which monitors are slow.
  await harness.moveTo(10)
  await harness.endAll()
  await harness.moveTo(20)
  await harness.endAll()
  await harness.moveTo(30)
  await harness.store.write(actor, (tx) => tx.put('monitor', 'quick', monitorOf('quick')))
  await harness.moveTo(31)
  expect(harness.inFlight.filter(({ id }) => id !== 'quick')).toHaveLength(2)
  expect(harness.inFlight.map(({ id }) => id)).toContain('quick')
})

test('a receiver that the configuration lacks is reported once', async () => {
  const harness = new Harness()
  await harness.open({ a: { ...everySecond, routing: ['gone'] } })
  await harness.moveTo(10)
  await harness.endAll()
  expect(harness.faults).toEqual(['`routing` of the monitor "each second" names receivers that do not exist: "gone"'])
})

test('alerts of a monitor that was deleted while nothing was evaluated are resolved at the next start', async () => {
  const first = new Harness()
  first.answer = oneRow
  const service = await first.open({ a: everySecond })
  await first.endAll()
  await service.idle()
  expect(first.sent).toEqual(['firing'])
  const closed = service.close()
  await first.endAll()
  await closed
  await first.store.write(actor, (tx) => tx.remove('monitor', 'a'))
  const second = new Harness(first.store)
  await second.open({})
  await second.moveTo(5)
  await second.endAll()
  await second.moveTo(10)
  await second.endAll()
  expect(second.sent).toEqual(['resolved'])
  expect(second.store.read('default', (view) => view.list('alerting').map(({ id }) => id))).toEqual(['notifications'])
})

test('a stored monitor that cannot be evaluated is reported, and the others go on', async () => {
  const harness = new Harness()
  const broken = { ...everySecond, title: 'of an earlier release', labels: { team: '{{ bogus' } }
  const malformed = { ...everySecond, title: 7 }
  const service = await harness.open({ a: everySecond, broken, malformed })
  const bogus = 'There is no function named `bogus`.'
  expect(harness.lines()).toEqual(['a@0'])
  expect(service.unusableReason('broken')).toBe(bogus)
  expect(service.unusableReason('a')).toBeUndefined()
  await harness.moveTo(5)
  expect(harness.faults).toEqual([
    `the monitor "of an earlier release" (broken) is not evaluated until it is edited: ${bogus}`,
    expect.stringContaining('the monitor 7 (malformed) is not evaluated until it is edited: '),
  ])
  await harness.store.write(actor, (tx) => tx.put('monitor', 'broken', monitorOf('repaired')))
  await harness.moveTo(6)
  expect(service.unusableReason('broken')).toBeUndefined()
  expect(harness.lines()).toContain('broken@6')
})

/** Returns a monitor over the number of error rows that fires if the number is at least `count`. */
function firesFrom(count: number, others: DocumentBody = {}): DocumentBody {
  const thresholds = [{ name: 't', inputName: 'q', operator: 'gte', values: [count] }]
  const queries = [{ name: 'q', dataType: 'logs', expression: 'level:error' }]
  return { ...everySecond, title: `from ${count}`, model: { queries, thresholds }, ...others }
}

test('monitors with equal queries share one answer; each has its own thresholds', async () => {
  const harness = new Harness()
  harness.answer = oneRow
  const service = await harness.open({ a: firesFrom(1), b: firesFrom(2), other: monitorOf('other') })
  expect(harness.lines()).toEqual(['a@0', 'other@0'])
  await harness.endAll()
  await service.idle()
  const states = ['a', 'b'].map((id) => [...service.status(id)!.record.state.instances.values()][0]?.state)
  expect(states).toEqual(['Alerting', 'Normal'])
  expect(service.figures.evaluations).toBe(3)
})

test('an answer is not shared between authors, nor between intervals', async () => {
  const harness = new Harness()
  const author = (email: string): DocumentBody => ({ $author: { by: 'key', email } })
  await harness.open({
    ann: firesFrom(1, author('ann@example.com')),
    ann2: firesFrom(2, author('ann@example.com')),
    bob: firesFrom(1, author('bob@example.com')),
    slow: firesFrom(1, { ...author('ann@example.com'), evaluationInterval: { interval: '2s' } }),
  })
  expect(harness.lines()).toEqual(['ann@0', 'bob@0', 'slow@0'])
})

test('an edit during a shared evaluation discards the answer for that monitor alone', async () => {
  const harness = new Harness()
  harness.answer = oneRow
  const service = await harness.open({ a: firesFrom(1), b: firesFrom(1, { title: 'b' }) })
  await harness.store.write(actor, (tx) => tx.put('monitor', 'a', monitorOf('edited')))
  expect(service.status('a')!.definition.alertName).toBe('edited')
  await harness.endAll()
  expect(service.status('a')!.record.state.instances.size).toBe(0)
  expect([...service.status('b')!.record.state.instances.values()].map(({ state }) => state)).toEqual(['Alerting'])
})

test('an edit while a shared evaluation waits leaves the others their own queries', async () => {
  const harness = new Harness()
  const service = await harness.open({ a: firesFrom(1), b: firesFrom(1, { title: 'b' }) })
  await harness.moveTo(1)
  expect(service.figures.waiting).toBe(2)
  await harness.store.write(actor, (tx) => tx.put('monitor', 'a', monitorOf('edited')))
  expect(service.status('a')!.definition.alertName).toBe('edited')
  await harness.endAll()
  expect(harness.lines()).toEqual(['b@1'])
})

/** Returns a document store whose writes fail while `isFull` is set. */
function storeOnDisk(): DocumentStore & { isFull: boolean } {
  const store = createMemoryDocumentStore(() => 0n)
  const disk = {
    isFull: false,
    read: store.read.bind(store),
    epoch: store.epoch.bind(store),
    write: (by, change) => (disk.isFull ? Promise.reject(new Error('The disk is full.')) : store.write(by, change)),
  } as DocumentStore & { isFull: boolean }
  return disk
}

function storedStates(store: DocumentStore, id: string): readonly unknown[] {
  const document = store.read('default', (view) => view.get('alerting', `monitor:${id}`))
  return ((document?.body['instances'] ?? []) as { readonly state: string }[]).map(({ state }) => state)
}

test('an alert that ended while the disk was full is stored as ended when there is space again', async () => {
  const disk = storeOnDisk()
  const harness = new Harness(disk)
  harness.answer = oneRow
  const service = await harness.open({ a: everySecond })
  await harness.endAll()
  await service.idle()
  expect([harness.sent, storedStates(disk, 'a')]).toEqual([['firing'], ['Alerting']])
  disk.isFull = true
  harness.answer = noRows
  for (const second of [1, 2, 3, 4]) {
    await harness.moveTo(second)
    await harness.endAll()
    await service.idle()
  }
  expect([harness.sent, storedStates(disk, 'a')]).toEqual([['firing'], ['Alerting']])
  expect(harness.faults.toSorted()).toEqual([
    'notifications to team/webhook[0] fail: The delivery could not be written to disk before it is sent.',
    'the log of notifications could not be written: The disk is full.',
    'the state of alerts could not be written: The disk is full.',
  ])
  disk.isFull = false
  for (const second of [5, 6, 7, 8]) {
    await harness.moveTo(second)
    await harness.endAll()
    await service.idle()
  }
  expect([harness.sent, storedStates(disk, 'a')]).toEqual([['firing', 'resolved'], ['Normal']])
  expect(harness.faults).toHaveLength(3)
})

/**
 * Returns the outcome of one query: a series for each string, with the string as its `host` label and 1 as its value.
 */
function outcomeOf(values: readonly string[]): QueryOutcome {
  const points = [{ timeMs: 0, value: 1 }]
  const series = values.map((host) => ({ labels: Labels.of({ host }), points, columns: new Map() }))
  return { outputs: [{ name: 'q', series, countsRows: false }] }
}

test('labels of more than a mebi character in one evaluation are an error of the monitor', async () => {
  const harness = new Harness()
  harness.answer = outcomeOf(Array.from({ length: 17 }, (_, i) => `${i}`.padStart(64 * 1024, '0')))
  const service = await harness.open({ a: everySecond })
  await harness.endAll()
  await service.idle()
  expect(service.status('a')!.record.error).toBe(
    'the labels have more than 1048576 characters in all; group by shorter fields',
  )
  expect(harness.sent).toEqual([])
})

test('the stored changes of a monitor with long labels are few', async () => {
  const harness = new Harness()
  const service = await harness.open({ a: everySecond })
  for (let second = 1; second <= 6; second++) {
    harness.answer = outcomeOf([`${second}`.padStart(100_000, '0')])
    await harness.endAll()
    await service.idle()
    await harness.moveTo(second)
  }
  expect(service.history('a').map(({ labels }) => labels.get('host').at(-1))).toEqual(['6', '4'])
})

test.each<readonly [string, DocumentBody]>([
  ['monitor:a', { instances: 'x' }],
  ['monitor:a', { instances: [{ labels: {}, state: 'Recovering', origin: 'result' }] }],
  ['notifications', { alerts: 5, log: {} }],
])('a stored state of another form (%s, %j) is reported, and alerts are notified again', async (key, body) => {
  const first = new Harness()
  first.answer = oneRow
  const service = await first.open({ a: everySecond })
  await first.endAll()
  await service.idle()
  await service.close()
  await first.store.write(actor, (tx) => tx.putState(key, body))
  const second = new Harness(first.store)
  second.answer = oneRow
  const restarted = await second.open({})
  expect(second.faults).toEqual([expect.stringContaining('cannot be read, so ')])
  for (const seconds of [2, 4, 6]) {
    await second.moveTo(seconds)
    await second.endAll()
    await second.endAll()
  }
  await second.endAll()
  expect([...restarted.status('a')!.record.state.instances.values()].map(({ state }) => state)).toEqual(['Alerting'])
  expect(second.sent.at(-1)).toBe('firing')
})

test('a look at the schedule waits for no evaluation, so that looks do not pile up', async () => {
  const harness = new Harness()
  const service = await harness.open({ a: monitorOf('one') })
  const waits = vi.spyOn(service, 'run')
  await harness.moveTo(5)
  await harness.endAll()
  expect(harness.lines()).toEqual(['a@5'])
  expect(waits).not.toHaveBeenCalled()
})
