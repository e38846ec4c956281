import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Instant, toText, type MutableRow } from '../../src/data/index.ts'
import {
  demoClusterStates,
  demoEvents,
  demoSpans,
  demoWorkloadStates,
  demoWorkloads,
  incident,
} from '../../src/ingest/demo/index.ts'
import { found, ingestApp } from '../server/ingest/app.ts'
import { JSON_HEADERS, post, send } from '../server/harness/harness.ts'

const nowNs = 1_700_000_000_000_000_000n
const story = { seed: 7, nowNs, hours: 3 }

const kinds: readonly (readonly [string, (seed: number) => readonly MutableRow[]])[] = [
  ['events', (seed) => demoEvents({ ...story, seed })],
  ['spans', (seed) => demoSpans({ ...story, seed, requests: 300 })],
  ['workloads', (seed) => demoWorkloadStates({ ...story, seed })],
  ['clusters', (seed) => demoClusterStates({ ...story, seed })],
]

function minutesAgo(row: MutableRow): number {
  return Number(nowNs - (row.get('_time') as Instant).ns) / 60e9
}

test.each(kinds)('%s: equal seeds give equal rows, in time order, ending now', (_, make) => {
  const rows = make(7)
  expect(make(7)).toEqual(rows)
  expect(make(8)).not.toEqual(rows)
  const ages = rows.map(minutesAgo)
  expect(ages).toEqual(ages.toSorted((a, b) => b - a))
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...ages)).toBeLessThanOrEqual(180)
})

test('spans: every parent is there, and charges time out while the pool is dry', () => {
  const rows = demoSpans({ ...story, requests: 900 })
  const ids = new Set(rows.map((row) => row.get('span_id')))
  expect(rows.every((row) => !row.has('parent_span_id') || ids.has(row.get('parent_span_id')))).toBe(true)
  const charges = rows.filter((row) => row.get('workload') === 'payments')
  const failed = (within: (minutes: number) => boolean): number => {
    const some = charges.filter((row) => within(minutesAgo(row)))
    return some.filter((row) => row.get('status') === 'error').length / some.length
  }
  expect(failed((m) => m < incident.poolExhaustedMinutesAgo && m > incident.rollbackMinutesAgo)).toBeGreaterThan(0.3)
  expect(failed((m) => m > incident.deployMinutesAgo)).toBeLessThan(0.05)
})

test('events: deployment, crashes and rollback stand in this order', () => {
  const reasons = demoEvents(story)
    .filter((row) => row.get('workload') === 'payments')
    .map((row) => `${toText(row.get('reason') ?? null)} ${toText(row.get('imageName') ?? null).replace(/^.*:/, '')}`)
    .filter((text) => /ImageUpdated|OOMKilled/.test(text))
  const { badVersion, goodVersion } = incident
  const killed = `OOMKilled ${badVersion}`
  expect(reasons).toEqual([`ImageUpdated ${badVersion}`, killed, killed, killed, `ImageUpdated ${goodVersion}`])
})

test('states: payments is not ready while it is broken, and every workload is ready at the end', () => {
  const rows = demoWorkloadStates(story)
  const unready = new Set(rows.filter((row) => row.get('ready') === false).map((row) => row.get('workload')))
  expect([...unready]).toEqual(['payments'])
  const last = rows.slice(-demoWorkloads.length)
  expect(last.every((row) => row.get('ready') === true && minutesAgo(row) === 0)).toBe(true)
})

function fixture(path: string): string {
  return readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')
}

test('the fixtures can be taken in and tell the same', async () => {
  const { app } = ingestApp()
  for (const kind of ['logs', 'events', 'spans', 'clusters', 'workloads']) {
    const body = fixture(`${kind}/payments-pool-exhausted.ndjson`)
    const sent = await send(app, `/api/ingest/${kind}`, { method: 'POST', headers: JSON_HEADERS, body })
    expect(sent.body).toEqual({ accepted: body.trimEnd().split('\n').length, rejected: 0, errors: [] })
  }
  expect(
    await found(app, '/api/k8s/v2/events/search', 'type:container_crash | stats by (reason, workload) count() n'),
  ).toEqual([{ reason: 'OOMKilled', workload: 'payments', n: 3 }])
  const slow = await found(app, '/api/traces/v2/search', 'workload:payments duration_seconds:>5 | stats count() n')
  expect(Number(slow[0]?.['n'])).toBeGreaterThan(3)
})

test('the list of events as Kubernetes writes it', async () => {
  const { app } = ingestApp()
  await post(app, '/api/ingest/events', JSON.parse(fixture('events/kubernetes-list.json')))
  expect(
    await found(app, '/api/k8s/v2/events/search', '* | fields _time, workload, reason, container, host, count'),
  ).toEqual([
    {
      _time: '2026-03-10T11:38:00.000000000Z',
      workload: 'payments',
      reason: 'ScalingReplicaSet',
      container: null,
      host: null,
      count: 1,
    },
    {
      _time: '2026-03-10T11:16:34.000000000Z',
      workload: 'payments',
      reason: 'Unhealthy',
      container: 'payments',
      host: 'worker-3',
      count: 8,
    },
  ])
})
