// @module-tag slow
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../src/server/index.ts'
import { FORMAT_VERSION, HEADER_BYTES } from '../../src/store/durable/log-format.ts'
import { crc32 } from '../../src/system/index.ts'
import { run } from '../cli/terminal.ts'

/** Folders for tests in which one release opens the data folder of another. */
const place = mkdtempSync(join(tmpdir(), 'sluice-upgrade-'))
const folder = join(place, 'data')

const rowsFile = join(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')
const KEY = 'the-key-of-the-upgrade-test-0123456789'
const SENTENCE = 'The data folder has version 2; this release knows versions up to 1.'
const ADVICE = 'It was written by a later release. Run that release, or use another data folder.'

/** Returns the content of every file below a folder. */
function contentOf(path: string): Readonly<Record<string, string>> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.filter((name) => statSync(join(path, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(path, name), 'hex')]))
}

/** Raises the version in the marker of a folder, as a later release would. */
function raiseMarker(path: string): void {
  const marker = join(path, 'sluice.json')
  const { checksum: _, ...written } = JSON.parse(readFileSync(marker, 'utf8')) as { readonly checksum: number }
  const newer = { ...written, format: 2 }
  writeFileSync(marker, JSON.stringify({ ...newer, checksum: crc32(JSON.stringify(newer)) }))
}

/** Raises the version in the headers of a folder's logs. */
function raiseLogs(path: string): void {
  for (const name of readdirSync(path).filter((each) => each.endsWith('.log'))) {
    const bytes = readFileSync(join(path, name))
    bytes.writeUInt32LE(FORMAT_VERSION + 1, 8)
    bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4)
    writeFileSync(join(path, name), bytes)
  }
}

function send(server: SluiceServer, body: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson' }
  return server.fetch(new Request('http://localhost/api/ingest/logs', { method: 'POST', headers, body }))
}

beforeAll(async () => {
  const server = await createServer({ keys: [KEY], data: folder })
  await server.loaded
  expect((await send(server, '{"content":"kept","level":"error"}\n')).status).toBe(200)
  await server.close()
})

afterAll(() => rmSync(place, { recursive: true, force: true }))

describe.each([
  ['marker', raiseMarker],
  ['logs', raiseLogs],
])('a folder with a later version in its %s', (name, raise) => {
  const later = join(place, `later-${name}`)
  const other = join(place, `other-${name}`)

  beforeAll(() => {
    cpSync(folder, later, { recursive: true })
    raise(later)
  })

  test.each([
    ['serve', ['serve', '--port', '0', '--data', later]],
    ['query', ['query', '*', '--data', later]],
    ['import', ['import', '--data', later, rowsFile]],
    ['export', ['export', '*', '--data', later, '--output', join(place, 'export.ndjson')]],
    ['snapshot', ['snapshot', '--data', later, '--to', other]],
    ['repair', ['repair', '--write', '--data', later]],
    ['delete', ['delete', '--write', '--where', 'level:error', '--range', '2020-01-01..2100-01-01', '--data', later]],
    ['audit', ['audit', '--data', later]],
  ])('is refused by %s in one sentence with what to do, and not changed', async (_, args) => {
    const before = contentOf(later)
    const { code, out, error } = await run(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(error).toContain(SENTENCE)
    expect(error).toContain(ADVICE)
    expect(contentOf(later)).toEqual(before)
  })
})

test('a folder of this version is opened as it is: a start and a stop rewrite none of its rows', async () => {
  const copy = join(place, 'copy')
  cpSync(folder, copy, { recursive: true })
  const server = await createServer({ data: copy })
  await server.loaded
  await server.close()
  const { 'batches.log': rows, 'sluice.json': marker } = contentOf(folder)
  expect(rows?.length).toBeGreaterThan(2 * HEADER_BYTES)
  expect(contentOf(copy)).toMatchObject({ 'batches.log': rows, 'sluice.json': marker })
  expect((await run('query', '--data', copy, '* | fields content')).out).toBe('{"content":"kept"}\n')
})
