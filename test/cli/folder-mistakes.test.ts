// @module-tag slow
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDataFolder } from '../../src/server/index.ts'
import { diskFiles, discardFolder } from '../../src/store/durable/index.ts'
import { run, runOn } from './terminal.ts'

let folder: string
let data: string
const path = (name: string): string => join(folder, name)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-mistakes-'))
  data = path('data')
  writeFileSync(path('rows.ndjson'), '{"_time":"2026-01-01T00:00:00Z","content":"one"}\n')
  expect((await run('import', '--data', data, path('rows.ndjson'))).code).toBe(0)
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

/** One row more than a segment holds. */
const SEALED_ROWS = 65_537

async function withSegment(): Promise<void> {
  const row = '{"_time":"2026-01-01T00:00:00Z","content":"one"}\n'
  writeFileSync(path('many.ndjson'), row.repeat(SEALED_ROWS - 1))
  expect((await run('import', '--data', data, path('many.ndjson'))).code).toBe(0)
}

const countOf = async (from: string): Promise<unknown> =>
  JSON.parse((await run('query', '--data', from, '* | stats count() n')).out) as unknown

test('an import of what is no file leaves no folder behind', async () => {
  const missing = await run('import', '--data', path('new'), path('rows.ndjson'), path('mistyped.ndjson'))
  expect(missing).toMatchObject({ code: 2, error: `There is no file ${path('mistyped.ndjson')}.\n` })
  expect((await run('import', '--data', path('new'), folder)).code).toBe(2)
  expect(existsSync(path('new'))).toBe(false)
})

test('an import of what is no text leaves no folder behind', async () => {
  writeFileSync(path('rows.parquet'), `PAR1${'\0'.repeat(100)}PAR1`)
  expect((await run('import', '--data', path('new'), path('rows.parquet'))).code).toBe(1)
  expect(existsSync(path('new'))).toBe(false)
})

test.each([
  ['lines.ndjson', '{"a":1\n{bad\n', 'Nothing of it could be read'],
  ['list.json', '[{"a":1},', 'server/bad-payload'],
])('an import that stores nothing of %s leaves no folder behind', async (name, text, told) => {
  writeFileSync(path(name), text)
  expect(await run('import', '--data', path('new'), path(name))).toMatchObject({
    code: 1,
    error: expect.stringContaining(told) as string,
  })
  expect(existsSync(path('new'))).toBe(false)
  mkdirSync(path('there'))
  expect((await run('import', '--data', path('there'), path(name))).code).toBe(1)
  expect(readdirSync(path('there'))).toEqual([])
})

test('an import that stores nothing leaves the folder that was there', async () => {
  writeFileSync(path('lines.ndjson'), '{bad\n')
  expect((await run('import', '--data', data, path('lines.ndjson'))).code).toBe(1)
  expect(await countOf(data)).toEqual({ n: 1 })
  const empty = path('empty')
  await (await openDataFolder(empty, () => 0n)).close()
  expect((await run('import', '--data', empty, path('lines.ndjson'))).code).toBe(1)
  expect(existsSync(join(empty, 'sluice.json'))).toBe(true)
})

test('a folder that another process has meanwhile is not taken out', async () => {
  const taken = path('taken')
  const opened = await openDataFolder(taken, () => 0n)
  await expect(discardFolder(diskFiles, taken)).rejects.toThrow()
  await opened.close()
  expect(existsSync(join(taken, 'sluice.json'))).toBe(true)
  await expect(discardFolder(diskFiles, data)).resolves.toBe(undefined)
  expect(await countOf(data)).toEqual({ n: 1 })
})

test.each(['', ' ', 'a,b', 'a\nb', 'x'.repeat(256), 'Ä'.repeat(50)])('`%s` is no backend', async (id) => {
  const imported = await run('import', '--data', path('new'), '--backend', id, path('rows.ndjson'))
  expect([imported.code, imported.error]).toEqual([2, expect.stringContaining('--backend needs ids') as string])
  expect(existsSync(path('new'))).toBe(false)
})

test.each(['..', 'a/b', 'con', 'x'.repeat(255), '__proto__'])('`%s` is a backend apart', async (id) => {
  expect((await run('import', '--data', data, '--backend', id, path('rows.ndjson'))).code).toBe(0)
  const { out } = await run('query', '--data', data, '--backend-id', id, '* | stats count() n')
  expect(out).toBe('{"n":1}\n')
  expect(await countOf(data)).toEqual({ n: 1 })
})

test('an import that is interrupted says what is stored', async () => {
  const abort = new AbortController()
  const row = '{"_time":"2026-01-01T00:00:00Z","content":"one"}\n'
  const pipe = path('many.ndjson')
  writeFileSync(pipe, row.repeat(400_000))
  let said = ''
  const writeError = (text: string): void => {
    said += text
    // The first output is the progress, so the import is interrupted while it runs.
    abort.abort()
  }
  const given = { signal: abort.signal, isErrorTty: true, writeError }
  const { code } = await runOn(given, 'import', '--data', data, pipe)
  const [, stored] = /Interrupted: (\d+) logs are stored in .* behind them are not\.\n$/.exec(said) ?? []
  expect([code, Number(stored)]).toEqual([130, expect.any(Number) as number])
  expect(Number(stored)).toBeGreaterThan(0)
  expect(Number(stored)).toBeLessThan(400_000)
  expect(await countOf(data)).toEqual({ n: Number(stored) + 1 })
})

test('only its owner can read the lock and what lies beside it while it is held', async () => {
  const { close } = await openDataFolder(data, () => 1n)
  const modes = readdirSync(data)
    .filter((name) => name.startsWith('lock'))
    .map((name) => statSync(join(data, name)).mode & 0o777)
  await close()
  expect(modes.length).toBeGreaterThan(0)
  expect(new Set(modes)).toEqual(new Set([0o600]))
})

test('a second holder of the lock is refused, also within one process', async () => {
  const { close } = await openDataFolder(data, () => 1n)
  for (let i = 0; i < 2; i++)
    await expect(openDataFolder(data, () => 1n)).rejects.toMatchObject({ code: 'durable/in-use' })
  await close()
})

test('a deletion from the folder of a server says how to reach it', async () => {
  const { close } = await openDataFolder(data, () => 1n)
  const { code, error } = await run('delete', '--data', data, '--where', '*', '--range', '..')
  await close()
  expect([code, error]).toEqual([
    1,
    `A server runs over ${data}: name it by \`--server URL\` in place of \`--data\`.\n`,
  ])
})

test.each([
  ['snapshot of a folder that is not there', ['--data', 'nothing', '--to', 'copy'], 'nothing is not a data folder.'],
  ['snapshot of a file', ['--data', 'rows.ndjson', '--to', 'copy'], 'rows.ndjson is not a data folder.'],
  ['snapshot into a file', ['--data', 'data', '--to', 'rows.ndjson'], 'rows.ndjson is a file; a snapshot is a folder.'],
  ['snapshot under a file', ['--data', 'data', '--to', 'rows.ndjson/copy'], 'ENOTDIR'],
])('a %s is refused in words', async (_, args, message) => {
  const { code, error } = await run('snapshot', ...args.map((arg) => (arg.startsWith('--') ? arg : path(arg))))
  expect(code).toBeGreaterThan(0)
  expect(error).toContain(message)
  expect(existsSync(path('copy'))).toBe(false)
})

test.each([true, false])(
  'a snapshot that failed leaves nothing, so that it can be taken again (folder there: %s)',
  async (isThere) => {
    if (isThere) mkdirSync(path('copy'))
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      errno: -28,
      syscall: 'write',
    })
    vi.spyOn(diskFiles, 'rename').mockImplementation((from, to) => {
      if (to.startsWith(path('copy'))) throw full
      renameSync(from, to)
    })
    const { code, error } = await run('snapshot', '--data', data, '--to', path('copy'))
    expect([code, error]).toEqual([1, 'ENOSPC: no space left on device, write\n'])
    expect(isThere ? readdirSync(path('copy')) : existsSync(path('copy'))).toEqual(isThere ? [] : false)
    vi.restoreAllMocks()
    expect((await run('snapshot', '--data', data, '--to', path('copy'))).code).toBe(0)
    expect(await countOf(path('copy'))).toEqual({ n: 1 })
  },
)

test('a snapshot copies files that can have no hard link', async () => {
  await withSegment()
  for (const code of ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP']) {
    const link = vi.spyOn(diskFiles, 'link').mockImplementation(() => {
      throw Object.assign(new Error(`${code}: no link`), { code, errno: -1, syscall: 'link' })
    })
    expect(await run('snapshot', '--data', data, '--to', path(code))).toMatchObject({ code: 0, error: '' })
    expect(link).toHaveBeenCalled()
    expect(await countOf(path(code))).toEqual({ n: SEALED_ROWS })
  }
})

test('a folder in the place of a segment is set aside as a damaged one', async () => {
  await withSegment()
  const place = join(data, 'segments/default')
  const name = readdirSync(place).find((each) => each.endsWith('.part')) ?? ''
  expect(name).not.toBe('')
  rmSync(join(place, name))
  mkdirSync(join(place, name))
  writeFileSync(join(place, name, 'note'), 'kept')
  const { code, out } = await run('repair', '--data', data, '--write')
  expect([code, out]).toEqual([0, expect.stringContaining('segments-aside-1') as string])
  expect(readdirSync(join(data, 'segments-aside-1/default', name))).toEqual(['note'])
  expect(await countOf(data)).toEqual({ n: 1 })
  expect((await run('import', '--data', data, path('rows.ndjson'))).code).toBe(0)
})

test.each([
  ['query', []],
  ['export', ['--output']],
])('a %s that is interrupted leaves nothing and ends with 130', async (command, [flag]) => {
  const abort = new AbortController()
  abort.abort()
  const output = flag === undefined ? [] : [flag, path('rows.csv')]
  const { code, error } = await runOn({ signal: abort.signal }, command, '--data', data, ...output, '*')
  expect([code, error]).toEqual([130, expect.stringContaining('budget/cancelled') as string])
  expect(readdirSync(folder).filter((name) => name.startsWith('rows.csv'))).toEqual([])
})

test('a snapshot that is interrupted while files are copied leaves nothing and ends with 130', async () => {
  await withSegment()
  const abort = new AbortController()
  vi.spyOn(diskFiles, 'link').mockImplementation(() => {
    abort.abort()
    throw Object.assign(new Error('EXDEV: another disk'), { code: 'EXDEV', errno: -18, syscall: 'link' })
  })
  const { code, error } = await runOn({ signal: abort.signal }, 'snapshot', '--data', data, '--to', path('copy'))
  expect([code, error]).toEqual([130, 'Interrupted: nothing was copied.\n'])
  expect(existsSync(path('copy'))).toBe(false)
})

test('a repair that is interrupted while files are read changes nothing and ends with 130', async () => {
  await withSegment()
  const segments = join(data, 'segments/default')
  const [name = ''] = readdirSync(segments).filter((each) => each.endsWith('.part'))
  truncateSync(join(segments, name), 100)
  const abort = new AbortController()
  const openToRead = diskFiles.openToRead.bind(diskFiles)
  vi.spyOn(diskFiles, 'openToRead').mockImplementation((file) => {
    if (file.endsWith('.part')) abort.abort()
    return openToRead(file)
  })
  const { code, error } = await runOn({ signal: abort.signal }, 'repair', '--data', data, '--write')
  expect([code, error]).toEqual([130, 'Interrupted: nothing was changed.\n'])
  vi.restoreAllMocks()
  expect((await run('repair', '--data', data)).out).toContain(`\`${name}\``)
})

const errorOf = async (query = '* | stats count() n'): Promise<string> => {
  const { code, error } = await run('query', '--data', data, query)
  expect(code).toBe(1)
  return error
}

test('a marker or a log that is longer than memory is not read whole', async () => {
  truncateSync(join(data, 'sluice.json'), 1e12)
  expect(await errorOf()).toContain('`sluice.json`: it does not match its checksum')
  rmSync(join(data, 'sluice.json'))
  truncateSync(join(data, 'batches.log'), 1e12)
  expect(await errorOf()).toContain('sluice.json')
  const { code, error } = await run('import', '--data', data, path('rows.ndjson'))
  expect([code, error]).toEqual([1, expect.stringContaining('its file `sluice.json` is missing') as string])
})

test.runIf(process.platform !== 'win32')(
  'a pipe or a ring of links in the place of a file is told by its name',
  async () => {
    await withSegment()
    const segments = join(data, 'segments/default')
    const [name = ''] = readdirSync(segments).filter((each) => each.endsWith('.part'))
    const segment = join(segments, name)
    rmSync(segment)
    execFileSync('mkfifo', [segment])
    expect(await errorOf('one | stats count() n')).toContain(`\`${name}\`: it cannot be read: ESPIPE`)
    rmSync(segment)
    symlinkSync(name, segment)
    expect(await errorOf('one | stats count() n')).toContain(`\`${name}\`: it cannot be read: ELOOP`)
    const log = join(data, 'batches.log')
    rmSync(log)
    execFileSync('mkfifo', [log])
    expect(await errorOf()).toContain('`batches.log`: it cannot be read: ESPIPE')
  },
)

test.runIf(process.platform !== 'win32').each(['batches.log', 'batches.head', 'resources.head', 'sluice.json'])(
  'repair keeps the rest where a pipe or a folder is in the place of %s',
  async (name) => {
    const place = join(data, name)
    for (const put of [
      () => execFileSync('mkfifo', [place]),
      () => mkdirSync(join(place, 'note'), { recursive: true }),
    ]) {
      rmSync(place)
      put()
      // Queries do not read `resources.head`, so they do not report its damage.
      if (name !== 'resources.head') expect(await errorOf()).toContain(name)
      const { code, out, error } = await run('repair', '--data', data, '--write', '--accept-lost-changes')
      expect([code, error]).toEqual([0, ''])
      expect(out).toContain(name === 'sluice.json' ? 'marker: ' : name)
      expect(await countOf(data)).toEqual({ n: name === 'batches.log' ? 0 : 1 })
      expect((await run('repair', '--data', data)).code).toBe(0)
    }
  },
)

test('a table that has no rows to delete is reported with those that have', async () => {
  const { code, error } = await run('delete', '--data', data, '--where', 'one', '--range', '..', '--table', 'nix')
  expect([code, error]).toEqual([
    2,
    expect.stringContaining('logs, events, spans, clusters, workloads, samples') as string,
  ])
})
