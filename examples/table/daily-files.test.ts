import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createEngine } from 'sluice'
import { dailyFiles } from './daily-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'daily-files-'))
after(() => rmSync(folder, { recursive: true }))
for (const [day, user] of [
  ['09', 'ann'],
  ['10', 'bob'],
  ['11', 'ann'],
]) {
  const record = { time: `2026-03-${day}T12:00:00Z`, message: `${user} signed in`, user }
  writeFileSync(join(folder, `2026-03-${day}.ndjson`), `${JSON.stringify(record)}\n`)
}

const opened: string[] = []
const engine = createEngine({ tables: { visits: dailyFiles('visits', folder, (file) => opened.push(file)) } })

test('a query reads the files of its days', async () => {
  opened.length = 0
  const answer = await engine.query('_time:2026-03-10 signed | fields user').toArray()
  deepEqual(answer, [{ user: 'bob' }])
  deepEqual(opened, ['2026-03-10.ndjson'])
})

test('a query without a time reads all files', async () => {
  opened.length = 0
  const answer = await engine.query('* | stats by (user) count() as n | sort by (user)').toArray()
  deepEqual(answer, [
    { user: 'ann', n: 2 },
    { user: 'bob', n: 1 },
  ])
  deepEqual(opened.length, 3)
})
