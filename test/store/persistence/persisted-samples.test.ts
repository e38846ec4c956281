import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { runToEnd, present } from '../../../src/base/index.ts'
import { openLogs, readFile, repairFolder, replaceFile, surveyFolder } from '../../../src/store/durable/index.ts'
import { surveyFiles, takeSnapshot } from '../../../src/store/persistence/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { EVERYTHING } from '../sample-files/file-of.ts'
import { FOLDER, START_MS, openSamples as open } from './open-samples.ts'

const ROOT = '/disk'
const HOUR_NS = 3_600_000_000_000n

/** Returns the samples of one scrape, one of them late. */
function scrape(round: number, pods = 3): string {
  const lines = ['# TYPE requests counter', '# HELP requests served']
  for (let pod = 0; pod < pods; pod++) {
    const at = (START_MS + round * 15_000) / 1000
    const trace = round % 3 === 0 ? ` # {trace_id="t${round}"} ${round} ${at}` : ''
    lines.push(`requests_total{pod="p${pod}"} ${round * 7 + pod} ${at}${trace}`)
    if (round > 4 && pod === 0) lines.push(`requests_total{pod="p${pod}"} ${round} ${at - 45}`)
  }
  return [...lines, '# EOF', ''].join('\n')
}

const newDisk = (): CrashFiles => new CrashFiles({}, new Map(), [ROOT])

describe('samples in a folder', () => {
  test('become files that batches leave the log for, and are the same after a start', async () => {
    const files = newDisk()
    const plain = await open(newDisk(), { logBytes: 1 << 30 })
    let server = await open(files)
    let mergedFiles = 0
    for (let round = 0; round < 40; round++) {
      await plain.send(scrape(round))
      await server.send(scrape(round))
      await server.persister.settled()
      expect(server.failures).toEqual([])
      if (round % 13 !== 12) continue
      expect(server.shown()).toEqual(plain.shown())
      mergedFiles += server.persister.figures.mergedSegments
      await server.persister.close()
      server = await open(files)
      expect(server.shown()).toEqual(plain.shown())
    }
    mergedFiles += server.persister.figures.mergedSegments
    expect(mergedFiles).toBeGreaterThan(3)
    expect(plain.files()).toEqual([])
    // Files have been merged, and the log has been shortened.
    expect(server.manifest.state.nextFile - 1).toBeGreaterThan(server.files().length + 3)
    expect(
      server
        .files()
        .some(({ rowGroups: [samples] }) => present(samples).endSequence - present(samples).firstSequence > 3),
    ).toBe(true)
    expect(server.batches.extentOf('samples').startId).toBeGreaterThan(20)
    const all = { filters: [[]], guard: undefined, startMs: -Infinity, endMs: Infinity }
    expect(server.target.samples.reader.exemplars(all)).toEqual(plain.target.samples.reader.exemplars(all))
    expect(server.target.metricCatalog.all).toEqual(plain.target.metricCatalog.all)
    await takeSnapshot(files, FOLDER, '/disk/copy')
    const copy = await open(files, {}, '/disk/copy')
    expect(copy.shown()).toEqual(plain.shown())
  })

  test('become a file after two hours however few there are', async () => {
    const clock = { nowNs: 0n }
    const server = await open(newDisk(), { clock, logBytes: 1 << 30 })
    await server.send(scrape(0))
    await server.persister.settled()
    clock.nowNs += 2n * HOUR_NS - 1n
    server.persister.scheduleFlush()
    await server.persister.settled()
    expect(server.files()).toEqual([])
    clock.nowNs += 1n
    server.persister.scheduleFlush()
    await server.persister.settled()
    expect(server.files()).toHaveLength(1)
    expect(server.shown()).toHaveLength(3)
  })

  test('leave when they are too old, and their series with them', async () => {
    const clock = { nowNs: BigInt(START_MS) * 1_000_000n }
    const retention = { ageNs: new Map([['samples', 8n * HOUR_NS]]), bytes: undefined }
    const files = newDisk()
    const server = await open(files, { clock, retention, logBytes: 1 })
    await server.send(scrape(0, 5))
    await server.persister.settled()
    expect(server.target.samples.series.count).toBe(5)
    clock.nowNs += 9n * HOUR_NS
    await server.send(scrape(9 * 240, 2))
    await server.persister.settled()
    expect(server.failures).toEqual([])
    expect(server.files()).toHaveLength(1)
    expect(server.target.samples.series.count).toBe(2)
    expect(server.shown()).toHaveLength(2)
    await server.persister.close()
    const again = await open(files, { clock, retention })
    expect(again.shown()).toEqual(server.shown())
    expect(files.list(`${FOLDER}/segments/default`)).toEqual(again.files().map(({ name }) => name))
  })

  test('are bounded by bytes together with segments', async () => {
    const retention = { ageNs: new Map(), bytes: 3000 }
    const server = await open(newDisk(), { retention })
    for (let round = 0; round < 60; round++) {
      await server.send(scrape(round, 20))
      await server.persister.settled()
    }
    expect(server.failures).toEqual([])
    expect(server.files().reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(3000)
    expect(server.files().length).toBeGreaterThan(0)
    expect(server.shown().length).toBe(20)
  })

  test('of a damaged file are refused, others answered, and the damage is found', async () => {
    const files = newDisk()
    const server = await open(files, { logBytes: 1 })
    await server.send(scrape(0))
    await server.persister.settled()
    await server.send(scrape(1000))
    await server.persister.settled()
    await server.persister.close()
    const [first, second] = server.files()
    const path = `${FOLDER}/segments/default/${present(first).name}`
    const file = files.open(path)
    file.write(Buffer.of(0xff), present(first).bytes - 1)
    file.close()
    const again = await open(files)
    expect(again.failures).toHaveLength(1)
    expect(() => again.shown()).toThrow('damaged')
    const range = { startMs: START_MS + 15_000, endMs: Infinity }
    expect(again.target.samples.reader.select({ ...EVERYTHING, ...range })).toHaveLength(3)
    const survey = runToEnd(surveyFiles(files, FOLDER, again.manifest.state))
    expect(survey.parts.map(({ name, lost }) => [name, lost?.firstNs, lost?.lastNs])).toEqual([
      [first?.name, BigInt(START_MS) * 1_000_000n, BigInt(START_MS) * 1_000_000n],
    ])
    expect(survey.whole).toBe(second === undefined ? 0 : 1)
  })
})

describe('the marker of a folder', () => {
  const MARKER = `${FOLDER}/sluice.json`

  async function marked(marker: object): Promise<CrashFiles> {
    const files = newDisk()
    await open(files)
    const { checksum: _, ...old } = JSON.parse(String(readFile(files, MARKER, 4096))) as Record<string, unknown>
    const next = { ...marker, id: old['id'], files: old['files'] }
    const text = JSON.stringify({ ...next, checksum: crc32(JSON.stringify(next)) }, undefined, 2)
    replaceFile(files, MARKER, Buffer.from(`${text}\n`))
    return files
  }

  test.each([
    ['a later format', { format: 2 }, 'The data folder has version 2; this release knows versions up to 1.'],
    ['a build from before the first release', { version: 3 }, 'a file of a build from before the first release'],
  ])('of %s is refused by everything that opens it, repair included', async (_, marker, message) => {
    const files = await marked(marker)
    expect(() => openLogs(files, FOLDER)).toThrow(message)
    expect(() => surveyFolder(files, FOLDER)).toThrow(message)
    await expect(takeSnapshot(files, FOLDER, '/disk/copy')).rejects.toThrow(message)
  })

  test('comes back by a repair', async () => {
    const files = newDisk()
    const server = await open(files)
    for (let round = 0; round < 3; round++) await server.send(scrape(round))
    await server.persister.close()
    files.remove(MARKER)
    repairFolder(files, surveyFolder(files, FOLDER))
    expect((await open(files)).shown()).toEqual(server.shown())
  })
})
