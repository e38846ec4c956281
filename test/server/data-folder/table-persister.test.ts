import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runToEnd, noReads, present } from '../../../src/base/index.ts'
import { createIngestService, findDecoder, openDataFolder, replayBatches } from '../../../src/server/index.ts'
import { tablePersister } from '../../../src/server/data-folder/table-persister.ts'
import { newTenant, type Tenant } from '../../../src/server/backends/tenant.ts'
import { Manifest, diskFiles, openLog, repairFolder, surveyFolder, tableKey } from '../../../src/store/durable/index.ts'
import {
  FileReaders,
  type PackedSegment,
  type Retention,
  type SegmentPacker,
} from '../../../src/store/persistence/index.ts'
import { RowGroupFile, type OpenContents } from '../../../src/store/segments/index.ts'
import { run } from '../../cli/terminal.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import { flipBit } from '../../harness/flip-bit.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-kept-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const NOW_NS = 1_767_225_600_000_000_000n
const clock = { nowMs: () => Number(NOW_NS / 1_000_000n), nowNs: () => NOW_NS }
const always = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }

/** File readers of each tenant. */
const readersOf = new WeakMap<Tenant, FileReaders>()

/** Starts a server over the folder, without sockets. */
async function start({
  logBytes,
  retention,
  segmentsWritten = true,
  nowNs = clock.nowNs,
  packer,
}: {
  logBytes?: number
  retention?: Retention
  segmentsWritten?: boolean
  nowNs?: () => bigint
  packer?: SegmentPacker
} = {}) {
  const opened = await openDataFolder(folder, clock.nowNs)
  const tenant = newTenant(clock)
  const failures: unknown[] = []
  const readers = new FileReaders()
  readersOf.set(tenant, readers)
  const persister = tablePersister({
    ...opened,
    readers,
    targets: new Map([['default', tenant]]),
    cacheBytes: 1 << 20,
    retention,
    packer,
    keepsSegments: segmentsWritten,
    nowNs,
    onChange: () => undefined,
    onFailure: (error) => failures.push(error),
    logBytes,
  })
  const read = await replayBatches(opened.batches, () => tenant, persister)
  const atStart = {
    fullTails: tenant.store.table('logs').tails.full.length,
    answer: await answer(tenant, '* | stats count() n, sum(row) rows'),
  }
  persister.readBack()
  const service = createIngestService({
    targetOf: () => tenant,
    log: opened.batches,
    watch: persister,
    nowNs: clock.nowNs,
  })
  return {
    tenant,
    persister,
    manifest: opened.manifest,
    batches: opened.batches,
    read,
    atStart,
    send: (table: string, text: string) =>
      service.ingest({
        backend: undefined,
        table,
        format: 'ndjson',
        body: { chunks: [Buffer.from(text)], encoding: 'identity' },
      }),
    settled: () => persister.settled(),
    async stop(told: readonly unknown[] = []) {
      await persister.close()
      await opened.close()
      expect(failures).toEqual(told)
    },
  }
}

function lines(from: number, count: number, at: (row: number) => string): string {
  return Array.from({ length: count }, (_, i) => {
    const row = from + i
    return `{"_time":"${at(row)}","content":"row ${row} of ${row % 7 === 0 ? 'seven' : 'others'}","level":"info","row":${row}}`
  }).join('\n')
}

/** Returns the time of a row. Every fifth row is a year older, so that late rows arrive among current ones. */
const mixed = (row: number): string =>
  `${row % 5 === 0 ? '2025-01-01' : '2026-01-01'}T00:00:${String(row % 60).padStart(2, '0')}Z`

async function answer(tenant: Tenant, query: string, table = 'logs'): Promise<unknown> {
  const end = readersOf.get(tenant)?.begin()
  try {
    return await tenant.engine.query(query, { range: always, table }).toArray()
  } finally {
    end?.()
  }
}

const QUESTIONS = [
  '* | stats count() n, sum(row) rows',
  'seven | stats count() n',
  '* | stats by (level) count() n, min(row) first, max(row) last',
  'content:"row 7 of seven" | fields content, row',
  '* | sort by (row) | limit 3 | fields row, content',
]

test('segments on the disk and the log behind them give every row once, at every stop', async () => {
  const whole = newTenant(clock)
  const inMemory = createIngestService({ targetOf: () => whole, log: undefined, nowNs: clock.nowNs })
  let server = await start({ logBytes: 1000 })
  const send = async (from: number, count: number): Promise<void> => {
    const text = lines(from, count, mixed)
    await server.send('logs', text)
    await inMemory.ingest({
      backend: undefined,
      table: 'logs',
      format: 'ndjson',
      body: { chunks: [Buffer.from(text)], encoding: 'identity' },
    })
  }
  await send(0, 3000)
  await send(3000, 1)
  await server.settled()
  expect(server.manifest.state.retiredTo).toBeGreaterThan(0)
  for (let round = 0; round < 6; round++) {
    await send(4000 + round * 3000, 2500)
    await send(6500 + round * 3000, 10)
    if (round % 2 === 0) await server.settled()
    await server.stop()
    server = await start({ logBytes: round % 2 === 0 ? 1000 : 50_000 })
    for (const query of QUESTIONS) expect(await answer(server.tenant, query)).toEqual(await answer(whole, query))
  }
  await server.settled()
  const { parts, covered } = [...server.manifest.state.tables.values()].find(({ table }) => table === 'logs')!
  const fileNumbers = parts.map(({ name }) => Number(/\d+/.exec(name)?.[0]))
  // Small parts have been merged into later files.
  expect(parts.length).toBeLessThan(8)
  expect(Math.max(...fileNumbers)).toBeGreaterThan(8)
  expect(covered.size).toBe(2)
  expect(server.batches.extent.startId).toBeGreaterThan(2)
  await server.stop()
})

test('a start leaves full tails for later, and a stop leaves it nothing to read back', async () => {
  let server = await start({ segmentsWritten: false })
  for (let from = 0; from < 70_000; from += 10_000)
    await server.send(
      'logs',
      lines(from, 10_000, () => '2026-01-01T00:00:00Z'),
    )
  expect(server.manifest.state.tables.size).toBe(0)
  await server.stop()
  server = await start()
  expect(server.read).toMatchObject({ rows: 70_000 })
  const expected = [{ n: 70_000, rows: (70_000 * 69_999) / 2 }]
  expect(server.atStart).toEqual({ fullTails: 1, answer: expected })
  await server.settled()
  const segments = () =>
    (server.manifest.state.tables.get(tableKey('default', 'logs'))?.parts ?? []).flatMap(({ rowGroups }) => rowGroups)
  expect(segments().map(({ rowCount }) => rowCount)).toEqual([65_536])
  await server.send(
    'logs',
    lines(70_000, 20_000, () => '2026-01-01T00:00:00Z'),
  )
  await server.stop()
  server = await start()
  expect(server.read).toMatchObject({ batches: 0, rows: 0 })
  expect(segments().map(({ rowCount }) => rowCount)).toEqual([65_536, 24_464])
  expect(await answer(server.tenant, '* | stats count() n')).toEqual([{ n: 90_000 }])
  await server.stop()
})

test('rows that are not in the log are not kept, and those behind them count on', async () => {
  let server = await start({ logBytes: 1000 })
  await server.send('logs', lines(0, 100, mixed))
  const again = server.persister.pause()
  server.tenant.store.table('logs').writer.appendRows([{ timeNs: NOW_NS, row: new Map([['content', 'loaded']]) }])
  again()
  await server.send('logs', lines(100, 2000, mixed))
  await server.settled()
  await server.stop()
  server = await start()
  expect(await answer(server.tenant, '* | stats count() n, count_uniq(row) different')).toEqual([
    { n: 2100, different: 2100 },
  ])
  await server.stop()
})

/** Damages a batch in the log without changing its position. */
function damageBatch(text: string): void {
  flipBit(join(folder, 'batches.log'), text, 0)
}

test('a batch that is damaged and left out by a repair costs no other batch a row', async () => {
  let server = await start()
  const old = '2025-01-01T00:00:00Z'
  const now = '2026-01-01T00:00:00Z'
  const row = (time: string, content: string): string => `{"_time":"${time}","content":"${content}"}`
  // The old rows of the first batches are sealed and stored in segments; all other rows are only in the log.
  const batches = Array.from({ length: 8 }, (_, i) => [
    row(old, `old ${i}`),
    row(old, `older ${i}`),
    row(now, `now ${i}`),
  ])
  const table = server.tenant.store.table('logs')
  for (const [i, batch] of batches.entries()) {
    await server.send('logs', batch.join('\n'))
    if (i !== 4) continue
    table.tails.closeBefore(1)
    runToEnd(table.sealer.sealFull())
    server.persister.scheduleFlush()
    await server.settled()
  }
  const { state } = server.manifest
  expect(
    [...state.tables.values()].map(({ parts }) =>
      parts.flatMap(({ rowGroups }) => rowGroups.map(({ rowCount }) => rowCount)),
    ),
  ).toEqual([[10]])
  await server.stop()
  damageBatch('now 2')
  damageBatch('now 6')
  const survey = surveyFolder(diskFiles, folder)
  expect(survey.logs.find(({ logName }) => logName === 'batches')).toMatchObject({ kept: 6, startId: 0 })
  repairFolder(diskFiles, survey)
  const contents = async (): Promise<readonly string[]> => {
    const rows = (await answer(server.tenant, '* | fields content')) as readonly Record<string, unknown>[]
    return rows.map(({ content }) => String(content)).toSorted()
  }
  const left = Array.from({ length: 8 }, (_, i) => [
    ...(i === 6 ? [] : [`old ${i}`, `older ${i}`]),
    ...(i === 2 || i === 6 ? [] : [`now ${i}`]),
  ]).flat()
  for (let round = 0; round < 3; round++) {
    server = await start()
    expect(await contents()).toEqual(left.toSorted())
    await server.send('logs', row(old, `late ${round}`))
    left.push(`late ${round}`)
    if (round === 1) server.tenant.store.table('logs').seal()
    server.persister.scheduleFlush()
    await server.settled()
    await server.stop()
  }
})

test('a batch that has rows in segments and gives another count of rows now is refused in words', async () => {
  const server = await start()
  await server.send(
    'logs',
    `${lines(0, 1, () => '2025-01-01T00:00:00Z')}\n${lines(1, 1, () => '2026-01-01T00:00:00Z')}`,
  )
  server.tenant.store.table('logs').tails.closeBefore(1)
  runToEnd(server.tenant.store.table('logs').sealer.sealFull())
  server.persister.scheduleFlush()
  await server.settled()
  await server.stop()
  const decoder = findDecoder('logs', 'ndjson')!
  const decode = decoder.decode
  const other = vi.spyOn(decoder, 'decode').mockImplementation(function* (payload, receivedNs, options) {
    const bytes = Buffer.from(payload)
    return yield* decode(bytes.subarray(0, bytes.indexOf(10)), receivedNs, options)
  })
  await expect(start()).rejects.toMatchObject({ code: 'durable/other-rows' })
  other.mockRestore()
})

test('rows that a damaged manifest names no longer are moved aside by repair, not removed by the next start', async () => {
  let server = await start({ logBytes: 1000 })
  await server.send('logs', lines(0, 2000, mixed))
  await server.settled()
  await server.stop()
  const segments = (path: string): readonly string[] => readdirSync(path).filter((name) => name.endsWith('.part'))
  const place = join(folder, 'segments', 'default')
  const written = segments(place)
  expect(written.length).toBeGreaterThan(0)
  flipBit(join(folder, 'manifest.log'), '.part')

  const said = await run('repair', '--data', folder, '--write')
  expect(said.out).toContain('segments-aside-1; their rows are not served.')
  const aside = segments(join(folder, 'segments-aside-1', 'default'))
  expect(aside.length).toBeGreaterThan(0)
  server = await start()
  // The dictionaries are rebuilt from the remaining segments.
  await server.stop([expect.objectContaining({ code: 'durable/damaged' })])
  expect([...segments(place), ...aside].toSorted()).toEqual(written)
})

/** Length in bytes of the data before the first row group of a part. */
const HEAD_BYTES = 16
const TAIL_MAGIC = 'SLUICEND'

/** Returns the contents block of the first row group of a part. */
function opened(name: string, part: Buffer): OpenContents {
  const bytes = part.subarray(HEAD_BYTES, part.indexOf(TAIL_MAGIC) + TAIL_MAGIC.length)
  const read = (into: Uint8Array, at: number): number => bytes.copy(into, 0, at, at + into.length)
  return new RowGroupFile({ name, bytes: bytes.length, read }, noReads()).open()
}

/** Damages the messages in the first row group of a part. */
function damageTexts(path: string): void {
  const { contents, blocks } = opened(path, readFileSync(path))
  const { column } = present(contents.columns.find(({ name }) => name === 'content'))
  flipBit(path, HEAD_BYTES + present(blocks.starts[column.kind === 'text' ? column.texts.block : 0]))
}

describe('a damaged file of dictionaries', () => {
  const place = (): string => join(folder, 'segments', 'default')
  const filesOf = (suffix: string): readonly string[] => readdirSync(place()).filter((name) => name.endsWith(suffix))
  const query = 'row:5 | fields content, level, row'
  const anything: unknown = expect.anything()

  async function stored(): Promise<unknown> {
    const server = await start({ logBytes: 1000 })
    await server.send('logs', lines(0, 2000, mixed))
    await server.settled()
    const expected = await answer(server.tenant, query)
    expect(expected).toHaveLength(1)
    await server.stop()
    return expected
  }

  function damage(name: string, at: number): void {
    flipBit(join(place(), name), at)
  }

  test('is made again from the segments, reported, and written anew', async () => {
    const expected = await stored()
    const [first = ''] = filesOf('.dictionaries')
    for (let at = 16; at < readFileSync(join(place(), first)).length; at += 40) damage(first, at)
    let server = await start({ logBytes: 1000 })
    expect(await answer(server.tenant, query)).toEqual(expected)
    await server.send('logs', lines(2000, 2000, mixed))
    await server.settled()
    await server.stop([anything, anything])
    server = await start()
    expect(filesOf('.dictionaries')).not.toContain(first)
    expect(await answer(server.tenant, query)).toEqual(expected)
    expect(await answer(server.tenant, 'row:>=1999 | stats count() n')).toEqual([{ n: 2001 }])
    await server.stop()
  })

  test('without a list of its records is made again, too', async () => {
    const expected = await stored()
    const [first = ''] = filesOf('.dictionaries')
    const bytes = readFileSync(join(place(), first))
    writeFileSync(join(place(), 'logs-99.dictionaries'), bytes)
    damage('logs-99.dictionaries', 60)
    const manifest = new Manifest(openLog(diskFiles, folder, 'manifest'))
    const dictionaries = { name: 'logs-99.dictionaries', bytes: bytes.length, records: [] }
    await manifest.commit({ tables: [{ backend: 'default', table: 'logs', dictionaries }] })
    await manifest.close()
    let server = await start({ logBytes: 1000 })
    expect(await answer(server.tenant, query)).toEqual(expected)
    await server.send('logs', lines(2000, 2000, mixed))
    await server.settled()
    await server.stop([anything])
    server = await start()
    expect(filesOf('.dictionaries')).not.toContain('logs-99.dictionaries')
    expect(await answer(server.tenant, query)).toEqual(expected)
    expect(await answer(server.tenant, 'row:>=1999 | stats count() n')).toEqual([{ n: 2001 }])
    await server.stop()
  })

  test('refuses only what needs it where the segments are damaged too', async () => {
    await stored()
    const [first = ''] = filesOf('.dictionaries')
    for (let at = 16; at < readFileSync(join(place(), first)).length; at += 40) damage(first, at)
    for (const name of filesOf('.part')) {
      const bytes = readFileSync(join(place(), name))
      const { contents, blocks } = opened(name, bytes)
      const { column } = present(contents.columns.find((field) => field.name === 'level'))
      if (column.kind === 'dictionary') damage(name, HEAD_BYTES + present(blocks.starts[column.values]))
    }
    const server = await start()
    await expect(answer(server.tenant, 'row:5 | fields level')).rejects.toThrow('.part')
    expect(await answer(server.tenant, 'row:5 | fields content, row')).toHaveLength(1)
    await server.stop([anything])
  })
})

test('rows that come slowly become segments, which leave when they are too old', async () => {
  const day = 86_400_000_000_000n
  let nowNs = NOW_NS
  const server = await start({
    retention: { ageNs: new Map([['logs', 8n * day]]), bytes: undefined },
    nowNs: () => nowNs,
  })
  const after = async (days: bigint): Promise<readonly number[]> => {
    nowNs = NOW_NS + days * day
    server.persister.scheduleFlush()
    await server.settled()
    const table = server.manifest.state.tables.get(tableKey('default', 'logs'))
    return (table?.parts ?? []).flatMap(({ rowGroups }) => rowGroups.map(({ rowCount }) => rowCount))
  }
  await server.send(
    'logs',
    lines(0, 10, () => '2026-01-01T00:00:00Z'),
  )
  expect(await after(0n)).toEqual([])
  expect(await after(1n)).toEqual([10])
  await server.send(
    'logs',
    lines(10, 5, () => '2026-01-02T00:00:00Z'),
  )
  expect(await after(1n)).toEqual([10])
  expect(await after(2n)).toEqual([10, 5])
  expect(await after(9n)).toEqual([5])
  expect(await answer(server.tenant, '* | stats count() n')).toEqual([{ n: 5 }])
  await server.stop()
})

test('small segments are merged: the rows, their order and their numbers stay', async () => {
  let server = await start()
  const whole = newTenant(clock)
  const inMemory = createIngestService({ targetOf: () => whole, log: undefined, nowNs: clock.nowNs })
  const names = (): readonly string[] =>
    (server.manifest.state.tables.get(tableKey('default', 'logs'))?.parts ?? []).map(({ name }) => name)
  const value = (row: number): string =>
    ['"text"', '1.5', 'true', '{"a":[1,null]}', '"2026-01-01T00:00:00Z"', '9007199254740993', '"ü"'][row % 7] ?? ''
  for (let from = 0; from < 800; from += 100) {
    const text = Array.from({ length: 100 }, (_, i) => {
      const row = from + i
      return `{"_time":"${mixed((row * 37) % 800)}","content":"row ${row}","row":${row},"any":${value(row)}${row % 3 === 0 ? `,"some${row % 9}":"x"` : ''}}`
    }).join('\n')
    const body = { chunks: [Buffer.from(text)], encoding: 'identity' as const }
    await inMemory.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body })
    await server.send('logs', text)
    server.tenant.store.table('logs').seal()
    server.persister.scheduleFlush()
    await server.settled()
  }
  const before = names()
  const questions = [
    '*',
    'any:1.5 | fields row, any',
    '* | stats by (any) count() n, sum(row) s | sort by (any)',
    '"row 77"',
    '* | facets 3',
  ]
  for (let round = 0; round < 3; round++) {
    for (const query of questions) expect(await answer(server.tenant, query), query).toEqual(await answer(whole, query))
    await server.stop()
    server = await start()
    await server.settled()
  }
  // Sixteen segments were written, and some of them have been merged.
  expect(before.length).toBeLessThan(16)
  expect(names().length).toBeLessThanOrEqual(before.length)
  expect(readdirSync(join(folder, 'segments', 'default')).filter((name) => name.endsWith('.part'))).toHaveLength(
    names().length,
  )
  await server.stop()
})

test('small segments are merged without one that is damaged, and this is reported', async () => {
  let server = await start()
  const place = join(folder, 'segments', 'default')
  const segments = (): readonly string[] => readdirSync(place).filter((name) => name.endsWith('.part'))
  const seal = async (from: number): Promise<void> => {
    await server.send(
      'logs',
      lines(from, 10, () => '2026-01-01T00:00:00Z'),
    )
    server.tenant.store.table('logs').seal()
    server.persister.scheduleFlush()
    await server.settled()
  }
  for (let i = 0; i < 3; i++) await seal(i * 10)
  await server.stop()
  const [first = ''] = segments()
  damageTexts(join(place, first))
  server = await start()
  const named = (): readonly string[] =>
    (server.manifest.state.tables.get(tableKey('default', 'logs'))?.parts ?? []).map(({ name }) => name)
  for (let i = 3; i < 7; i++) await seal(i * 10)
  await vi.waitFor(async () => {
    server.persister.scheduleFlush()
    await server.settled()
    expect(named().length).toBeLessThan(5)
  }, PATIENCE_MS)
  expect(named()).toContain(first)
  expect(await answer(server.tenant, 'row:>=30 | stats count() n')).toEqual([{ n: 40 }])
  await expect(answer(server.tenant, '* | fields content')).rejects.toThrow(first)
  const anything: unknown = expect.anything()
  await server.stop([anything])
})

test('a damaged segment refuses what needs it, and repair takes it out; a missing one, too', async () => {
  let server = await start({ logBytes: 1000 })
  await server.send('logs', lines(0, 2000, mixed))
  await server.settled()
  await server.stop()
  const place = join(folder, 'segments', 'default')
  const names = readdirSync(place).filter((name) => name.endsWith('.part'))
  expect(names.length).toBeGreaterThan(1)
  const [first = '', second = ''] = names
  const whole = readFileSync(join(place, first))
  damageTexts(join(place, first))
  const damaged = readFileSync(join(place, first))
  const counts = async (): Promise<unknown> => {
    const started = await start({ segmentsWritten: false })
    const { n, rows } = (started.atStart.answer as readonly [{ n: number; rows: number }])[0]
    await started.stop()
    return [n, rows > 0]
  }
  expect(await counts()).toEqual([2000, true])
  server = await start({ segmentsWritten: false })
  await expect(answer(server.tenant, '* | fields content')).rejects.toThrow(first)
  await server.stop()

  const dry = await run('repair', '--data', folder)
  expect(dry.code).toBe(1)
  expect(dry.out).toMatch(
    new RegExp(
      `rows: The data folder is damaged: \`${first}\`: block \\d+ .*\\n  lost: [\\d,]+ rows of logs, from 202\\d-`,
    ),
  )
  expect(readdirSync(place)).toContain(first)
  const lost = Number(/lost: ([\d,]+) rows/.exec(dry.out)?.[1]?.replaceAll(',', ''))
  const said = await run('repair', '--data', folder, '--write')
  expect(said.out).toContain('The folder is whole again; the damaged files are in ')
  expect(readFileSync(join(folder, 'segments-aside-1', 'default', first))).toEqual(damaged)
  expect(readdirSync(place)).not.toContain(first)
  expect(await counts()).toEqual([2000 - lost, true])
  const again = await run('repair', '--data', folder)
  expect([again.code, again.out.split('\n').at(-2)]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^set aside: ${first}, ${lost} rows of logs, from 202\\d-`)),
  ])

  const aside = join(folder, 'segments-aside-1')
  const back = ['repair', '--data', folder, '--restore', aside]
  const damagedStill = await run(...back)
  expect([damagedStill.code, damagedStill.out]).toEqual([1, expect.stringContaining(`not whole: The data folder is`)])
  expect(damagedStill.error).toContain('has no file that was set aside and is whole')
  // Replace the damaged file by its intact copy.
  writeFileSync(join(aside, 'default', first), whole)
  const found = await run(...back)
  expect([found.code, found.out]).toEqual([1, expect.stringContaining(`\nwhole: ${first}, ${lost} rows of logs`)])
  expect(found.error).toContain(`--restore ${aside} --write`)
  expect(await counts()).toEqual([2000 - lost, true])
  const restored = await run(...back, '--write')
  expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('1 file of rows is served again.')])
  expect(await counts()).toEqual([2000, true])
  expect((await run('repair', '--restore', aside)).code).toBe(2)

  rmSync(join(place, second))
  expect((await run('repair', '--data', folder, '--write')).code).toBe(0)
  server = await start({ segmentsWritten: false })
  await server.stop()
})

test('expired rows and rows beyond the limit are dropped by whole segments, and stay dropped', async () => {
  const day = 86_400_000_000_000n
  let server = await start({ logBytes: 1000, retention: { ageNs: new Map([['logs', 30n * day]]), bytes: undefined } })
  await server.send('logs', lines(0, 2000, mixed))
  await server.settled()
  server.persister.scheduleFlush()
  await server.settled()
  expect(await answer(server.tenant, '* | stats count() n')).toEqual([{ n: 1600 }])
  await server.stop()
  server = await start()
  expect(await answer(server.tenant, '* | stats count() n')).toEqual([{ n: 1600 }])
  const files = readdirSync(join(folder, 'segments', 'default'))
  expect(files.filter((name) => name.endsWith('.part'))).toHaveLength(1)
  await server.stop()
  server = await start({ retention: { ageNs: new Map(), bytes: 1 } })
  server.persister.scheduleFlush()
  await server.settled()
  expect(await answer(server.tenant, '* | stats count() n')).toEqual([{ n: 0 }])
  await server.stop()
})

describe('files that are made elsewhere', () => {
  const fill = (server: Awaited<ReturnType<typeof start>>): void => {
    const table = server.tenant.store.table('logs')
    table.seal()
    server.persister.scheduleFlush()
  }
  const question = 'seven | stats count() n'

  test('a segment that the packer cannot write is written on this thread, with its word index', async () => {
    const packed: (boolean | undefined)[] = []
    const packer: SegmentPacker = {
      takes: () => true,
      pack: (segment) => {
        packed.push(segment.words === undefined)
        return Promise.reject(new Error('lost'))
      },
    }
    const server = await start({ packer })
    await server.send('logs', lines(0, 700, mixed))
    fill(server)
    await server.settled()
    expect(packed).toEqual([true, true])
    const stored = server.tenant.store.table('logs').segments.all
    expect(stored.map(({ words }) => words !== undefined && words.wordCount > 0)).toEqual([true, true])
    expect(await answer(server.tenant, question)).toEqual([{ n: 100 }])
    await server.stop()
  })

  test('a few files are written at the same time', async () => {
    const asked: (() => void)[] = []
    const packer: SegmentPacker = {
      // Takes only new segments, not the results of merging small ones.
      takes: (rows) => rows === 70,
      pack: () => new Promise<PackedSegment>((_, lost) => asked.push(() => lost(new Error('lost')))),
    }
    const server = await start({ packer })
    for (let i = 0; i < 5; i++) {
      await server.send(
        'logs',
        lines(i * 70, 70, () => '2026-01-01T00:00:00Z'),
      )
      fill(server)
    }
    await expect.poll(() => asked.length).toBe(3)
    asked[0]?.()
    // The local thread packs the first segment itself; then the fourth is requested.
    await expect.poll(() => asked.length).toBe(4)
    for (let i = 1; i < 5; i++) {
      await expect.poll(() => asked.length).toBeGreaterThan(i)
      asked[i]?.()
    }
    await server.settled()
    expect(asked).toHaveLength(5)
    expect(await answer(server.tenant, question)).toEqual([{ n: 50 }])
    await server.stop()
  })

  test('few segments wait without words, senders wait for more, and rows are found all the time', async () => {
    const release = Promise.withResolvers<PackedSegment>()
    const packer: SegmentPacker = { takes: () => true, pack: () => release.promise }
    const server = await start({ packer })
    const table = server.tenant.store.table('logs')
    let isOpen = true
    for (let i = 0; i < 6; i++) {
      await server.send(
        'logs',
        lines(i * 70, 70, () => '2026-01-01T00:00:00Z'),
      )
      fill(server)
      isOpen = await Promise.race([
        server.persister.capacity().then(() => true),
        new Promise<boolean>((done) => setTimeout(done, 20, false)),
      ])
      expect(isOpen).toBe(i < 4)
    }
    const withoutWords = table.segments.all.filter(({ words }) => words === undefined)
    expect(withoutWords).toHaveLength(2)
    expect(await answer(server.tenant, question)).toEqual([{ n: 60 }])
    const room = server.persister.capacity()
    release.reject(new Error('lost'))
    await room
    await server.settled()
    await server.persister.capacity()
    expect(table.segments.all.every(({ words }) => words !== undefined)).toBe(true)
    expect(await answer(server.tenant, question)).toEqual([{ n: 60 }])
    await server.stop()
  })
})
