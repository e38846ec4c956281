// @module-tag slow
import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { rounds } from '../run.ts'
import { killAlerts } from './kill-alerts.ts'

test('kills during evaluation and sending: every alert is notified, repetitions have the same key', async () => {
  const random = seededRandom(11)
  const report = await killAlerts({ more: rounds(5), random: () => random.next() })
  expect(report.faults).toEqual([])
  expect(report).toMatchObject({ cycles: 5, alerts: 5 })
})
