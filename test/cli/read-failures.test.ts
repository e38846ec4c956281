// @module-tag slow
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createServer } from '../../src/server/index.ts'
import { toErrorResponse } from '../../src/server/errors/to-error-response.ts'
import { diskFiles, readFailure, type OpenFile } from '../../src/store/durable/index.ts'
import { PooledFiles } from '../../src/store/segments/index.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { SEARCH } from '../server/harness/harness.ts'
import { run } from './terminal.ts'

const ROWS = 5000

let folder: string
const { ...disk } = diskFiles

const systemError = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'read' })

/** Wraps a file so that every read fails. */
function failing(file: OpenFile, code: string): OpenFile {
  return {
    size: () => file.size(),
    read: () => {
      throw systemError(code)
    },
    write: () => undefined,
    truncate: () => undefined,
    sync: () => undefined,
    syncLater: () => Promise.resolve(),
    identity: () => file.identity(),
    close: () => file.close(),
  }
}

/** Makes opening or reading the affected files fail from now on. */
function fail(code: string, isAffected: (path: string) => boolean, at: 'open' | 'read'): void {
  vi.spyOn(diskFiles, 'openToRead').mockImplementation((path) => {
    if (!isAffected(path)) return disk.openToRead(path)
    if (at === 'open') throw systemError(code)
    return failing(disk.openToRead(path), code)
  })
}

const isSegment = (path: string): boolean => path.endsWith('.part')

const count = { start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z', query: 'other | stats count() n' }

async function filled() {
  const server = await createServer({ keys: ['key'], data: folder })
  await server.loaded
  const ask = async (path: string, body: string): Promise<Response> =>
    server.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { Authorization: 'Bearer key', 'Content-Type': 'application/json' },
        body,
      }),
    )
  return { ask, close: () => server.close() }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-read-failures-'))
  const { ask, close } = await filled()
  const lines = Array.from({ length: ROWS }, (_, i) => `{"_time":"2026-03-10T11:00:00Z","content":"row ${i} other"}`)
  expect((await ask('/api/ingest/logs?format=ndjson', lines.join('\n'))).status).toBe(200)
  await close()
  expect(readdirSync(join(folder, 'segments', 'default')).filter(isSegment)).toHaveLength(1)
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const CODES = [
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'ENOMEM',
  'EAGAIN',
  'ESTALE',
  'ETIMEDOUT',
]

describe.each(CODES)('where the system says %s', (code) => {
  test.each(['open', 'read'] as const)('to %s, repair changes nothing and says so', async (at) => {
    for (const isAffected of [isSegment, (path: string) => path.endsWith('batches.log')]) {
      fail(code, isAffected, at)
      const refused = await run('repair', '--data', folder, '--write')
      expect([refused.code, refused.error]).toEqual([
        1,
        expect.stringContaining(`cannot be read now: the system says ${code}`),
      ])
      expect(refused.out).not.toContain('whole again')
    }
    vi.restoreAllMocks()
    expect(readdirSync(folder).filter((name) => /aside|damaged/.test(name))).toEqual([])
    expect((await run('repair', '--data', folder)).out).toContain('rows: 2 whole files')
  })
})

test('what was set aside does not count as whole, nor as damaged', async () => {
  const copy = `${folder}-copy`
  cpSync(folder, copy, { recursive: true })
  const [name = ''] = readdirSync(join(folder, 'segments', 'default')).filter(isSegment)
  flipBit(join(folder, 'segments', 'default', name), 'other')
  expect((await run('repair', '--data', folder, '--write')).out).toContain('whole again')
  fail('EIO', isSegment, 'read')
  const refused = await run('repair', '--data', folder, '--restore', copy, '--write')
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('cannot be read now: the system says EIO')])
  vi.restoreAllMocks()
  expect((await run('repair', '--data', folder, '--restore', copy, '--write')).out).toContain('served again')
  rmSync(copy, { recursive: true })
})

test('queries get 503 while a segment cannot be read, and their answer afterwards', async () => {
  const { ask, close } = await filled()
  fail('EACCES', isSegment, 'read')
  const refused = await ask(SEARCH, JSON.stringify(count))
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({ code: 'durable/read-failed', type: 'unavailable' })
  vi.restoreAllMocks()
  const answered = await ask(SEARCH, JSON.stringify(count))
  expect(await answered.json()).toEqual([{ n: ROWS }])
  await close()
})

test('errors of the file itself are damage', () => {
  for (const code of ['ENOENT', 'EISDIR', 'ESPIPE', 'ELOOP'])
    expect(readFailure('a', systemError(code))).toMatchObject({ code: 'durable/damaged' })
  expect(toErrorResponse(readFailure('a', systemError('EIO')), { traceId: 't' }).status).toBe(503)
})

test('open files are closed for one that cannot be opened, and the read is tried again', () => {
  const opened = new Set<string>()
  const limited = {
    ...diskFiles,
    openToRead: (path: string): OpenFile => {
      if (opened.size === 3) throw systemError('EMFILE')
      opened.add(path)
      return {
        size: () => 1,
        read: (into: Uint8Array) => into.length,
        close: () => void opened.delete(path),
      } as unknown as OpenFile
    },
  }
  const pool = new PooledFiles(limited)
  for (let i = 0; i < 20; i++) expect(pool.source(`file-${i}`, 1).read(new Uint8Array(1), 0)).toBe(1)
  expect(opened.size).toBeLessThanOrEqual(3)
  pool.closeAll()
  let isFirst = true
  const once = {
    ...diskFiles,
    openToRead: (): OpenFile =>
      ({
        read: (into: Uint8Array) => {
          if (!isFirst) return into.length
          isFirst = false
          throw systemError('EIO')
        },
        close: () => undefined,
      }) as unknown as OpenFile,
  }
  expect(new PooledFiles(once).source('file', 1).read(new Uint8Array(1), 0)).toBe(1)
})
