import { expect, test } from 'vitest'
import { createWorkloadList } from '../../../../src/server/index.ts'
import { appOf, post } from '../../harness/harness.ts'
import { searchOver } from '../../harness/real-engine.ts'

const NOW = Date.parse('2026-03-10T12:00:00Z')

function span(secondsAgo: number, workload: string, seconds: number, status = 'ok', kind = 'server'): string {
  const _time = new Date(NOW - secondsAgo * 1000).toISOString()
  return JSON.stringify({ _time, cluster: 'c', namespace: 'n', workload, kind, status, duration_seconds: seconds })
}

const search = searchOver({
  workloads: ['api', 'own', 'quiet']
    .map((workload) =>
      JSON.stringify({
        cluster: 'c',
        namespace: 'n',
        workload,
        kind: 'Deployment',
        ...(workload === 'own' ? { rps: 7 } : {}),
      }),
    )
    .join('\n'),
  spans: [
    ...[1, 2, 3, 4].map((n) => span(n, 'api', n / 10, n === 1 ? 'error' : 'ok')),
    span(5, 'api', 9, 'ok', 'client'),
    span(5000, 'api', 9),
    span(1, 'own', 3),
  ].join('\n'),
})

test('requests, errors and latencies of the last minutes, from the spans that a workload answered', async () => {
  const rates = { nowNs: () => BigInt(NOW) * 1_000_000n, windowSeconds: 100 }
  const app = appOf({ search, workloads: createWorkloadList(search, rates) })
  const { workloads } = (await post(app, '/api/k8s/v3/workloads/list', {})).body as { workloads: unknown[] }
  expect(workloads).toMatchObject([
    { workload: 'own', rps: 7 },
    { workload: 'api', rps: 0.04, errorRate: 0.25, p99: 0.4 },
    { workload: 'quiet' },
  ])
  expect(workloads[0]).not.toHaveProperty('p50')
  expect(workloads[2]).not.toHaveProperty('rps')
})
