import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadFiles } from '../../src/sources/files/index.ts'
import { corpus } from './corpus/index.ts'
import type { ExpectedRecord } from './corpus/corpus.ts'
import { send, KEY } from '../server/harness/harness.ts'
import { found, ingestApp, NOW_NS } from '../server/ingest/app.ts'

type Found = Readonly<Record<string, unknown>>

const folder = mkdtempSync(join(tmpdir(), 'sluice-corpus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LOGS = '/api/logs/v2/search'
const arrival = '2026-01-01T00:00:00.000000000Z'

/** Returns the found values of the properties that `expected` specifies. */
function seen(row: Found | undefined, expected: ExpectedRecord): ExpectedRecord {
  const fields = Object.fromEntries(Object.keys(expected.fields ?? {}).map((name) => [name, row?.[name]]))
  return {
    ...(expected.text === undefined ? {} : { text: row?.['content'] as string }),
    level: row?.['level'] as string,
    time: row?.['_time'] as string,
    ...(expected.service === undefined ? {} : { service: row?.['workload'] as string }),
    trace: row?.['trace_id'] as string,
    span: row?.['span_id'] as string,
    ...(expected.fields === undefined ? {} : { fields }),
  }
}

function check(rows: readonly Found[], records: readonly ExpectedRecord[]): void {
  // Search results are newest first.
  const inOrder = rows.toReversed()
  expect(inOrder.map((row, i) => seen(row, records[i] ?? {}))).toEqual(
    records.map(({ time = arrival, level, trace, span, ...record }) => ({ level, trace, span, time, ...record })),
  )
}

let files = 0

describe.each(Object.entries(corpus))('%s', (_, cases) => {
  test.each(cases)('$name, by file', async ({ input, records }) => {
    const path = join(folder, `${files++}.log`)
    writeFileSync(path, input)
    const { app, tenants } = ingestApp()
    const table = tenants.get('default')?.store.table('logs')
    if (table === undefined) throw new Error('no table')
    const report = await loadFiles([path], table, { format: 'auto', nowNs: NOW_NS })
    expect(report.badLines).toBe(0)
    check(await found(app, LOGS), records)
  })

  test.each(cases)('$name, by HTTP', async ({ input, records }) => {
    const { app } = ingestApp()
    const sent = await send(app, '/api/ingest/logs', {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'text/plain' },
      body: input,
    })
    expect(sent.body).toMatchObject({ accepted: records.length, rejected: 0 })
    check(await found(app, LOGS), records)
  })
})

test('the corpus has at least 150 shapes', () => {
  expect(Object.values(corpus).flat().length).toBeGreaterThanOrEqual(150)
})
