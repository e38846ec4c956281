import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { authorized, startServer, type ServerProcess } from '../../harness/server-process.ts'
import { Webhook } from '../../harness/webhook.ts'
import type { Rounds } from '../run.ts'

export interface KillAlertsInput {
  readonly more: Rounds
  /** Returns random numbers in [0, 1). */
  readonly random: () => number
}

export interface KillAlertsReport {
  cycles: number
  /** Number of alerts that must be notified, because their rows were acknowledged. */
  alerts: number
  /** Number of notifications with the idempotency key of an earlier one, which a receiver can discard. */
  repetitions: number
  readonly faults: string[]
}

/** Longest time in milliseconds between the acknowledgement of a row and the kill of the server. */
const MAX_LIFE_MS = 1500

/** Milliseconds in which the last server must send notifications for all alerts that still fire. */
const QUIET_MS = 5000

/** Monitor that fires for rows of the last hour, so that no alert ends during a run. */
const MONITOR = {
  title: 'errors',
  evaluationInterval: { interval: '1s', pendingFor: '0s' },
  model: {
    queries: [
      {
        name: 'q',
        dataType: 'logs',
        expression: 'level:error | stats by (workload) count() as n',
        relativeTimerange: { from: '-1h', to: 'now' },
      },
    ],
    thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [0] }],
  },
}

async function post({ address }: ServerProcess, path: string, body: unknown): Promise<void> {
  for (;;) {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: authorized({ 'Content-Type': 'application/json' }),
      body: JSON.stringify(body),
    })
    if (response.ok) return
    if (response.status !== 503) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    await setTimeout(50)
  }
}

/**
 * Kills servers while they evaluate monitors and send notifications. Each cycle stores a row that makes one new alert
 * fire. In the end every alert must have been notified, always with the same idempotency key.
 */
export async function killAlerts({ more, random }: KillAlertsInput): Promise<KillAlertsReport> {
  const report: KillAlertsReport = { cycles: 0, alerts: 0, repetitions: 0, faults: [] }
  const hook = new Webhook()
  const url = await hook.open()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kill-alerts-'))
  const config = join(folder, 'notify.json')
  const route = { receiver: 'hook', group_by: ['workload'], group_wait: '0s', group_interval: '1s' }
  const receivers = [{ name: 'hook', webhook_configs: [{ url }] }]
  writeFileSync(config, JSON.stringify({ route, receivers, allow_addresses: ['127.0.0.1'] }))
  const start = (): Promise<ServerProcess> =>
    startServer(['--data', join(folder, 'data'), '--notify', config, '--workers', '1'])
  try {
    for (; more(report.cycles); report.cycles++) {
      const server = await start()
      if (report.cycles === 0) await post(server, '/api/monitors', MONITOR)
      const row = { time: new Date().toISOString(), level: 'error', workload: `w${report.cycles}`, message: 'failed' }
      await post(server, '/api/ingest/logs', [row])
      report.alerts++
      await setTimeout(random() * MAX_LIFE_MS)
      await server.kill()
    }
    const last = await start()
    await setTimeout(QUIET_MS)
    await last.kill()
  } finally {
    hook.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const keys = new Map<string, Set<string>>()
  for (const { key, status, alerts } of hook.received) {
    for (const { labels } of alerts) {
      const workload = labels['workload'] ?? ''
      const known = keys.get(workload) ?? new Set()
      if (known.has(key)) report.repetitions++
      keys.set(workload, known.add(key))
    }
    if (status !== 'firing') report.faults.push(`a notification is ${status}, although no alert ended`)
  }
  for (let i = 0; i < report.alerts; i++) {
    const count = keys.get(`w${i}`)?.size ?? 0
    if (count === 0) report.faults.push(`the alert of w${i} was never notified`)
    if (count > 1) report.faults.push(`the alert of w${i} was notified under ${count} keys`)
  }
  return report
}
