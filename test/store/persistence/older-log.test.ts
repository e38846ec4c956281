import { expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import {
  Manifest,
  openLog,
  openLogs,
  readFile,
  repairFolder,
  surveyFolder,
  writeFile,
  type BatchLogName,
  type ManifestEdit,
} from '../../../src/store/durable/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { openPersister, valuesOf } from './open-persister.ts'

const FOLDER = '/disk/data'
const ALL_BYTES = 1 << 24

async function send(files: CrashFiles, names: readonly string[]): Promise<void> {
  const server = await openPersister(files, FOLDER)
  server.persister.readBack()
  for (const who of names) {
    await server.send(`{"_time":"2026-01-01T00:00:00Z","who":"${who}"}`)
    await server.persister.settled()
  }
  await server.persister.close()
  await Promise.all([server.batches.close(), server.manifest.close()])
}

async function stored(files: CrashFiles): Promise<readonly string[]> {
  const server = await openPersister(files, FOLDER)
  server.persister.readBack()
  const names = await valuesOf(server.tenant, 'who')
  await server.persister.close()
  await Promise.all([server.batches.close(), server.manifest.close()])
  return names.map((name) => JSON.parse(name) as string)
}

function copyOf(files: CrashFiles, part: BatchLogName | 'manifest'): ReadonlyMap<string, Buffer> {
  const paths = [`${FOLDER}/${part}.log`, `${FOLDER}/${part}.head`]
  return new Map(paths.map((path) => [path, readFile(files, path, ALL_BYTES) ?? Buffer.alloc(0)]))
}

function putBack(files: CrashFiles, copy: ReadonlyMap<string, Buffer>): void {
  for (const [path, bytes] of copy) writeFile(files, path, bytes)
}

async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
  } catch (error) {
    return error instanceof SluiceError ? `${error.code}: ${error.message}` : String(error)
  }
  return 'opened'
}

const newFolder = (): CrashFiles => new CrashFiles({}, new Map(), ['/disk'])
const early = Array.from({ length: 4 }, (_, i) => `early ${i}`)
const late = Array.from({ length: 12 }, (_, i) => `late ${String(i).padStart(2, '0')}`)
const after = Array.from({ length: 12 }, (_, i) => `new ${String(i).padStart(2, '0')}`)

test('a log that is older than its manifest is refused, and a repair lets new batches have new ids', async () => {
  const files = newFolder()
  await send(files, early)
  const older = copyOf(files, 'batches')
  await send(files, late)
  const before = await stored(files)
  expect(before).toEqual([...early, ...late].toSorted())
  putBack(files, older)
  expect(await codeOf(() => openPersister(files, FOLDER))).toMatch(
    /^durable\/damaged: .*`batches\.log`: it ends at record 4, but manifest\.log knows records up to 16: it is an older log/,
  )
  const survey = surveyFolder(files, FOLDER)
  expect(survey.isWhole).toBe(false)
  expect(survey.logs.find(({ logName }) => logName === 'batches')?.lost.at(-1)?.last).toBe(16)
  repairFolder(files, survey)
  expect(surveyFolder(files, FOLDER).isWhole).toBe(true)
  const kept = await stored(files)
  await send(files, after)
  expect(await stored(files)).toEqual([...kept, ...after].toSorted())
})

test('a log whose rows no file has yet is refused, too, once an edit was written behind them', async () => {
  const files = newFolder()
  await send(files, early)
  const older = copyOf(files, 'batches')
  const server = await openPersister(files, FOLDER)
  await server.send('{"_time":"2026-01-01T00:00:00Z","who":"late"}')
  await server.manifest.commit({ nextFile: 1000 })
  await Promise.all([server.batches.close(), server.manifest.close()])
  putBack(files, older)
  expect(await codeOf(() => openPersister(files, FOLDER))).toContain('it is an older log')
})

test('a manifest that is older than the log is refused', async () => {
  const files = newFolder()
  await send(files, early)
  const older = copyOf(files, 'manifest')
  await send(files, [...late, ...after])
  putBack(files, older)
  expect(await codeOf(() => openPersister(files, FOLDER))).toMatch(
    /have left it, and no file is named that has their rows/,
  )
})

const part = { bytes: 1, crc: 1, createdMs: 0, rowGroups: [] }
const table = { backend: 'default', table: 'logs' }

test.each<[string, (name: string) => ManifestEdit]>([
  ['a part', (name) => ({ tables: [{ ...table, add: [{ ...part, name }] }] })],
  ['a part set aside', (name) => ({ tables: [{ ...table, addAside: [{ ...part, name }] }] })],
  ['dictionaries', (name) => ({ tables: [{ ...table, dictionaries: { name, bytes: 1, records: [] } }] })],
])('a manifest that names %s by a path is refused', async (_, editOf) => {
  for (const name of ['../../key', '/etc/logs-1.part', '..', '', 'a/logs-1.part', 'logs-1.part\n', 'key.json']) {
    const files = newFolder()
    openLogs(files, FOLDER)
    const manifest = new Manifest(openLog(files, FOLDER, 'manifest'))
    await manifest.commit(editOf(name))
    await manifest.close()
    expect(await codeOf(() => openPersister(files, FOLDER)), name).toMatch(/^durable\/damaged: .*names a file/)
    const survey = surveyFolder(files, FOLDER)
    expect(survey.isWhole, name).toBe(false)
    repairFolder(files, survey)
    expect(await stored(files), name).toEqual([])
  }
})

test.each<[string, ManifestEdit]>([
  ['a segment', { tables: [{ ...table, add: [{ ...part, name: 'logs-1.segment' }] }] }],
  // Sample files had this name in the format before parts.
  ['samples', { tables: [{ ...table, add: [JSON.parse('{"name":"samples-1.samples","bytes":1,"rowCount":1}')] }] }],
])('a folder with %s of an earlier build is refused, and not repaired', async (_, edit) => {
  const files = newFolder()
  openLogs(files, FOLDER)
  const manifest = new Manifest(openLog(files, FOLDER, 'manifest'))
  await manifest.commit(edit).catch(() => undefined)
  await manifest.close().catch(() => undefined)
  expect(await codeOf(() => openPersister(files, FOLDER))).toMatch(
    /^durable\/earlier-format: .*from before the first release/,
  )
  expect(() => surveyFolder(files, FOLDER)).toThrow('from before the first release')
})
