// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { rowsOf } from '../../src/data/index.ts'
import { UnpackedSource } from '../../src/sources/files/parts/unpacked-source.ts'
import { PartThread } from '../../src/sources/files/parts/part-thread.ts'
import { loadFiles } from '../../src/sources/files/index.ts'
import { MemoryTable, logsTable } from '../../src/store/index.ts'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-large-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const odd: readonly string[] = [
  String.raw`{"_time":"2026-03-10T10:00:00Z","level":"error","content":"n\u0065edle in escapes"}`,
  '{"_time":"2026-03-10T10:00:00Z","level":"error","content":"needle, naïve ☃"}',
  '{"_time":"2026-03-10T10:00:00+02:00","level":"warn","content":"two hours earlier, Needle"}',
  '{"_time":"2026-03-10T10:00:00Z","level":"error","n":9007199254740993,"content":"large"}',
  '{"_time":"2026-03-10T10:00:00Z","level":"error","n":9007199254740991,"content":"not quite as large"}',
  '{"_time":"2026-03-10T10:00:00Z","level":"error","level":"debug","content":"twice"}',
  '{"_time":"2026-03-10T10:00:00Z","a":{"b":[1,{"c":"needle"}]},"content":"nested"}',
  '{"_time":"2026-03-10T10:00:00Z","level":"error","n":1e3,"content":"exponent"}\r',
  '{"_time":"2026-03-10T10:00:00Z","level":"error","n":1',
  '',
]

/** Returns lines of mostly one form, enough of them that a separate thread reads the file. */
function lines(longLine: boolean): Buffer {
  const all: string[] = []
  for (let i = 0; i < 60_000; i++) {
    const time = new Date(Date.UTC(2026, 2, 10) + i * 1000).toISOString()
    const level = ['info', 'warn', 'debug', 'error'][i % 4]
    all.push(
      `{"_time":"${time}","level":"${level}","n":${(i * 7919) % 100_003},"trace_id":"trace-${i % 9973}","content":"line ${i} of many, ${'and so on '.repeat(6)}"}`,
    )
    if (i % 500 === 0) all.push(present(odd[(i / 500) % odd.length]))
    if (longLine && i === 30_000) {
      all.push(`{"_time":"2026-03-10T11:00:00Z","level":"error","content":"${'long '.repeat(400_000)}needle"}`)
    }
  }
  return Buffer.from(all.join('\n'))
}

const queries: readonly string[] = [
  'needle | fields _time, level, n',
  'level:error n:>9007199254740990 | fields _time, n, content',
  '* | stats by (level) count() c, sum(n) s, max(n) m | sort by (level)',
  'level:error | sort by (n desc) | limit 20 | fields _time, level, n, trace_id',
  '_time:[2026-03-10T09:59:00Z, 2026-03-10T10:00:01Z) | fields _time, level, n',
  'level:in(level:warn | fields level) | stats count() c',
  '* | stats by (trace_id) count() c | sort by (c desc, trace_id) | limit 30',
  'level:error | sample 100 | stats count() c',
]

/** Queries that return few rows, so that only the lines of these rows are parsed completely. */
const picking: readonly string[] = [
  'level:error | sort by (n desc) | limit 20',
  '* | sort by (level) | limit 12',
  '* | limit 15 # newest',
  'needle | limit 4',
  'n:>9007199254740990 | limit 50',
  '* | sort by (trace_id, n desc) partition by (level) limit 3 | limit 9',
  '* | sort by (n desc) | limit 40 | filter level:error',
  '* | sort by (n desc) offset 3 limit 5',
  'level:nothing | limit 5',
]

/** Returns all rows of files as one or two threads read them, with the counters of the reader. */
async function loaded(paths: readonly string[], thread?: PartThread): Promise<readonly unknown[]> {
  const table = new MemoryTable(logsTable)
  const read = thread === undefined ? undefined : (): Promise<PartThread> => Promise.resolve(thread)
  const report = await loadFiles(paths, table, { format: 'auto', nowNs: 0n, thread: read, hasFileNames: true })
  const { records, badLines, keptLines, damagedLines, lines: counted, bytes, examples } = report
  const rows: unknown[] = []
  for await (const batch of table.view.scan().batches) rows.push(...rowsOf(batch))
  return [{ records, badLines, keptLines, damagedLines, counted, bytes, examples }, rows]
}

async function expectAgreement(paths: readonly string[]): Promise<void> {
  const thread = new PartThread()
  try {
    expect(await loaded(paths, thread)).toEqual(await loaded(paths))
  } finally {
    await thread.close()
  }
}

describe.each([
  ['a large file', false],
  ['a large file with a very long line', true],
])('%s', (name, longLine) => {
  const bytes = lines(longLine)
  const plain = join(folder, `${name}.ndjson`)
  const packed = `${plain}.gz`
  writeFileSync(plain, bytes)
  writeFileSync(packed, gzipSync(bytes))

  test('is large', () => {
    expect(bytes.length).toBeGreaterThan(8 * 1024 * 1024)
  })

  test.each(longLine ? [...queries.slice(0, 2), picking[0]] : [...queries, ...picking])(
    'gives what it gives when it is packed: %s',
    async (query) => {
      const threaded = await run('query', present(query), plain)
      const inline = await run('query', present(query), packed)
      expect(threaded.code).toBe(0)
      expect(threaded.out === '').toBe(query?.includes('nothing'))
      expect(threaded.out).toBe(inline.out)
      expect(threaded.error).toBe(inline.error)
      expect(threaded.error).toMatch(/^12 of 6012[01] lines/m)
    },
  )

  test('gives what another backend finds in all of its rows', async () => {
    const query = 'needle level:error'
    const { out } = await run('query', `${query} | fields _time, level, n`, plain)
    const { out: other } = await run(
      'query',
      `* | filter ${query} | fields _time, level, n`,
      plain,
      '--backend',
      'rows',
    )
    expect(out.trim().split('\n').length).toBe(longLine ? 25 : 24)
    expect(out).toBe(other)
  })
})

test('few rows of two large files', async () => {
  const bytes = lines(false)
  const names = ['one', 'two'].map((name) => join(folder, `${name}.ndjson`))
  for (const [i, name] of names.entries()) {
    writeFileSync(name, i === 0 ? bytes : Buffer.from(bytes.toString().replaceAll('trace-', 'other-')))
    writeFileSync(
      `${name}.gz`,
      gzipSync(i === 0 ? bytes : Buffer.from(bytes.toString().replaceAll('trace-', 'other-'))),
    )
  }
  const query = '* | sort by (n desc) | limit 90'
  const { out } = await run('query', query, ...names)
  const { out: other } = await run('query', query, ...names.map((name) => `${name}.gz`))
  expect(out).toContain('trace-')
  expect(out).toContain('other-')
  expect(out).toBe(other)
})

/** Writes a CSV file that is read in several parts. One cell contains lines that look like records. */
function trickyTable(parts: number): string {
  const path = join(folder, 'tricky.csv')
  const row = (n: number): string => `${n},info,"said so, ${'x'.repeat(200)}"\n`
  const trap = `7,warn,"a cell\n${row(1).repeat(30_000).replaceAll('"', "'")}"\n`
  const rows = Array.from({ length: 60_000 * parts }, (_, n) => row(n)).join('')
  writeFileSync(path, `n,level,content\n${rows}${trap}${rows}`)
  return path
}

test('a cell of a table over the ends of parts is one cell', async () => {
  const { out } = await run(
    'query',
    '* | stats by (level) count() n | sort by (level)',
    trickyTable(1),
    '--format',
    'ndjson',
  )
  expect(out).toBe('{"level":"info","n":120000}\n{"level":"warn","n":1}\n')
})

test('lines that belong together are joined over the ends of parts', async () => {
  const path = join(folder, 'text.log')
  const record = (n: number): string =>
    `2026-03-17 10:00:00 ${n % 50 === 0 ? 'ERROR' : 'INFO'} number ${n} ${'x'.repeat(90)}\n${n % 50 === 0 ? '\tat a.b(C.java:1)\n'.repeat(30) : ''}`
  writeFileSync(path, Array.from({ length: 160_000 }, (_, n) => record(n)).join(''))
  const { out } = await run('query', '"C.java" | stats count() n', path, '--format', 'ndjson')
  expect(out).toBe('{"n":3200}\n')
  const all = await run('query', '* | stats count() n', path, '--format', 'ndjson')
  expect(all.out).toBe('{"n":160000}\n')
})

test('a thread that is lost leaves its parts to the thread with the query', async () => {
  const thread = new PartThread()
  const lost = thread.start()
  const path = join(folder, 'lost.ndjson')
  writeFileSync(path, '{"level":"info","content":"one of many lines"}\n'.repeat(500_000))
  const loading = loaded([path], thread)
  await lost.terminate()
  expect((await loading)[0]).toMatchObject({ records: 500_000, bytes: 500_000 * 47 })
  expect((await loaded([path], thread))[0]).toMatchObject({ records: 500_000 })
})

test('a thread that is lost while it unpacks is reported', async () => {
  const path = join(folder, 'lost.ndjson.gz')
  writeFileSync(path, gzipSync(randomBytes(12_000_000).toString('base64')))
  const source = new UnpackedSource(path)
  const target = new Uint8Array(1000)
  expect(await source.read(target)).toBe(1000)
  const reading = (async () => {
    while ((await source.read(target)) > 0);
  })()
  await source.close()
  await expect(reading).rejects.toThrow(`The thread that unpacks ${path} was lost.`)
})

describe('two threads read what one reads', () => {
  test.each([false, true])('plain, packed, and one after the other; with a very long line: %s', async (longLine) => {
    const plain = join(folder, `both-${longLine}.ndjson`)
    const bytes = lines(longLine)
    writeFileSync(plain, bytes)
    writeFileSync(`${plain}.gz`, gzipSync(bytes))
    await expectAgreement([plain])
    await expectAgreement([`${plain}.gz`, plain])
  })

  test('a packed file that is cut or damaged', async () => {
    const path = join(folder, 'damaged.ndjson.gz')
    const packed = gzipSync(lines(false), { level: 1 })
    const bytes = Buffer.from(packed)
    bytes.fill(0xff, bytes.length - 20_000, bytes.length - 10_000)
    for (const content of [packed.subarray(0, -100_000), bytes]) {
      writeFileSync(path, content)
      const thread = new PartThread()
      const outcomes = await Promise.allSettled([loaded([path], thread), loaded([path])])
      await thread.close()
      expect(outcomes[0]).toEqual(outcomes[1])
      expect(JSON.stringify(outcomes)).toContain('fulfilled')
    }
  })

  test('a compressed file that is not text is refused', async () => {
    const path = join(folder, 'image.gz')
    const content = Buffer.concat([Buffer.from('\u0089PNG\r\n', 'latin1'), randomBytes(3_000_000)])
    writeFileSync(path, gzipSync(content))
    const thread = new PartThread()
    await expect(loaded([path], thread)).rejects.toThrow('is a PNG image, not text')
    await thread.close()
  })
})
