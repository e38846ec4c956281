import { deepEqual, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from 'sluice'
import { createLanguage } from 'sluice/lang'
import { ours } from './extension.ts'

const logs = [
  { zone: 'eu-west-1', workload: 'cart', level: 'error' },
  { zone: 'eu-west-1', workload: 'cart', level: 'info' },
  { zone: 'us-east-1', workload: 'shop', level: 'info' },
]
const engine = createEngine({ tables: { logs }, extend: ours })

test('the pipe answers', async () => {
  const answer = await engine.query('* | error_rate workload').toArray()
  deepEqual(answer, [
    { workload: 'cart', lines: 2, errors: 1, rate: 0.5 },
    { workload: 'shop', lines: 1, errors: 0, rate: 0 },
  ])
})

test('the function answers', async () => {
  const answer = await engine.query(
    '* | math region(zone) as region | stats by (region) count() as n | sort by (region)',
  )
  deepEqual(await answer.toArray(), [
    { region: 'America', n: 1 },
    { region: 'Europe', n: 2 },
  ])
})

test('completion and errors know both', () => {
  const language = createLanguage({ extend: ours })
  ok(language.complete('* | error', 9).items.some(({ label }) => label === 'error_rate'))
  match(engine.check('* | eror_rate workload')[0]?.message ?? '', /error_rate/)
})
