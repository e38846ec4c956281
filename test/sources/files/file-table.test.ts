import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { always } from '../../../src/base/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { FileTable } from '../../../src/sources/files/file-table.ts'
import { logsTable, standardCatalog } from '../../../src/store/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-file-table-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ROWS = 30_000
const HEAD_BYTES = 1 << 20
/** Time limit for advice in ms. The default of one second is too short on a busy machine. */
const ADVICE_MS = 60_000

/** Lines of a file of a few megabytes. Only the last row has the level fatal and a code. */
const all = Array.from({ length: ROWS }, (_, i) => {
  const last = i === ROWS - 1
  const level = last ? 'fatal' : (['info', 'warn', 'error'][i % 3] ?? '')
  const line = { _time: '2026-03-10T10:00:00Z', level, n: i, host: `web-${i % 7}`, content: `request ${i} is done` }
  return JSON.stringify(last ? { ...line, code: 'E7' } : line)
})
const text = `${all.join('\n')}\n`
const plain = join(folder, 'a.jsonl')
const packed = join(folder, 'b.jsonl.gz')
const array = join(folder, 'd.json')
writeFileSync(array, `[${all.join(',')}]`)
const logfmt = join(folder, 'c.log')
writeFileSync(plain, text)
writeFileSync(packed, gzipSync(text))
writeFileSync(logfmt, Array.from({ length: ROWS * 2 }, (_, i) => `level=info host=web-1 n=${i} msg=done\n`).join(''))

function fileTable(path: string) {
  const onRead = vi.fn()
  const table = new FileTable({ definition: logsTable, paths: [path], format: 'auto', nowNs: 0n, onRead })
  return { table, onRead, looks: vi.spyOn(table, 'knownFields') }
}

/**
 * Runs a query. Returns the messages after the answer, and how often the files were read and their fields looked up.
 */
async function asked(query: string, path = plain) {
  const { table, onRead, looks } = fileTable(path)
  const tables = { catalog: standardCatalog, tables: new Map([['logs', table]]) }
  const limits = { adviceMs: ADVICE_MS }
  const engine = createEngine({ backends: [columnarBackend(tables, standardFunctions)], limits })
  const result = engine.query(query, { range: always })
  await result.toArray()
  const told = [...(await result.rowAdvice()), ...(await result.advice(query))].map(({ message }) => message)
  await table.close()
  return { told, readings: onRead.mock.calls.length, looks: looks.mock.calls.length }
}

test('an interrupt ends reading, in whatever way files are read', async () => {
  const large = join(folder, 'large.jsonl')
  writeFileSync(large, text.repeat(4))
  for (const path of [plain, packed, logfmt, array, large]) {
    const onRead = vi.fn()
    const onProgress = vi.fn()
    const signal = AbortSignal.abort()
    // Files that may be skipped are not skipped because of a cancellation.
    const gathered = new Set([path])
    const options = { definition: logsTable, paths: [path], format: 'auto', nowNs: 0n } as const
    const table = new FileTable({ ...options, onRead, onProgress, signal, gathered })
    const segments = table.segments({ columns: undefined, range: always, predicate: [], isLate: false })
    await expect(segments).rejects.toMatchObject({ code: 'budget/cancelled' })
    expect(onRead).not.toHaveBeenCalled()
    // The progress display is cleared.
    expect(onProgress.mock.calls).toEqual([[undefined]])
    await table.close()
  }
})

describe('what files tell of their fields', () => {
  test.each([plain, packed, logfmt, array])('is looked up in their beginning: %s', async (path) => {
    const { table, onRead } = fileTable(path)
    const known = await table.knownFields()
    const lineBytes = path === logfmt ? 30 : 90
    expect(known.rows).toBeGreaterThan(1000)
    expect(known.rows).toBeLessThan(HEAD_BYTES / lineBytes)
    // The sampled lines are complete: a truncated line would add a false level or host.
    const hosts = known.texts('host')?.keys() ?? []
    expect([...hosts].every((host) => /^web-\d$/.test(host))).toBe(true)
    expect(onRead).not.toHaveBeenCalled()
    await table.close()
  })

  test.each([
    'level:error | stats sum(n) s',
    'host:web-3 | stats sum(n) s',
    '* | stats by (level) count() n',
    'request | limit 10',
    'n:17 | stats count() c',
    // Values that occur only in the last row are found too.
    'level:fatal | stats sum(n) s',
    '* | stats by (code) count() n',
    'level:in(error, fatal) host:web-4 | stats max(n) m',
    '-level:fatal | stats count() c',
  ])('is not looked up for a query of what they have: %s', async (query) => {
    expect(await asked(query)).toEqual({ told: [], readings: 1, looks: 0 })
  })

  test.each([
    ['level:eror | stats count() c', 'No row has `eror` as `level`. Nearest among 9'],
    ['* -level:eror | stats count() c', 'No row has `eror` as `level`. Nearest among 9'],
    ['level:in(error, catastrophe) | stats count() c', 'No row has `catastrophe` as `level`.'],
    ['host:web-3 | stats sum(nn) s', 'field `nn`'],
  ])('is looked up once for what they do not have, and they are read once: %s', async (query, message) => {
    const { told, readings, looks } = await asked(query)
    expect(told[0]).toContain(message)
    expect({ told: told.length, readings, looks }).toEqual({
      told: 1,
      readings: message.includes('nn') ? 2 : 1,
      looks: 1,
    })
  })

  test('a value that the wanted rows do not have is looked for in all', async () => {
    expect(await asked('level:fatal host:web-0 | stats count() c')).toMatchObject({ told: [] })
  })
})

describe('times of rows beside the range', () => {
  const rows = 'rows lie at 2026-03-10T10:00:00Z.'
  const large = join(folder, 'large-times.jsonl')
  writeFileSync(large, text.repeat(4))

  test.each([plain, packed, array, large])('are reported for %s, which is read once', async (path) => {
    const { told, readings } = await asked('_time:>=2026-03-11 | stats count()', path)
    expect(told).toEqual([`No row lies at or after 2026-03-11T00:00:00Z; the ${rows}`])
    expect(readings).toBe(1)
    expect((await asked('_time:<=2026-03-11 | stats count()', path)).told).toEqual([])
  })

  test('are those of rows with the words of the query', async () => {
    const { told } = await asked('fatal _time:>=2026-03-11 | stats count()', plain)
    expect(told).toEqual([])
    const { told: some } = await asked('done _time:>=2026-03-11 | stats count()', plain)
    expect(some).toEqual([`No row that may match lies at or after 2026-03-11T00:00:00Z; such ${rows}`])
  })
})
