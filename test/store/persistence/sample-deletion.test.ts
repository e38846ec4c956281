import { expect, test } from 'vitest'
import { Labels } from '../../../src/data/index.ts'
import type { LabelMatcher } from '../../../src/plan/series/index.ts'
import { SampleStore, SamplesPublisher, applySamplesDelta, type SampleChoice } from '../../../src/store/index.ts'
import { StoredSource } from '../../../src/store/sample-files/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { EVERYTHING, linesOf } from '../sample-files/file-of.ts'
import { FOLDER, START_MS, openSamples as open, type OpenSamples } from './open-samples.ts'

const newDisk = (): CrashFiles => new CrashFiles({}, new Map(), ['/disk'])
const timeOf = (round: number): number => START_MS + round * 15_000

/** Returns one sample for each of three pods, and from the fifth round on a late sample of the first pod. */
function scrape(round: number): string {
  const at = (of: number): number => timeOf(of) / 1000
  const lines = [0, 1, 2].map((pod) => `up{pod="pod ${pod}"} ${round * 7 + pod} ${at(round)}`)
  if (round >= 5) lines.push(`up{pod="pod 0"} ${-round} ${at(round - 3)}`)
  return ['# TYPE up gauge', ...lines, '# EOF', ''].join('\n')
}

const pod = (value: string, op: LabelMatcher['op'] = '='): readonly LabelMatcher[] => [{ label: 'pod', op, value }]
const all = { startMs: -Infinity, endMs: Infinity }

function shownBut({ target }: OpenSamples, { matchers, startMs, endMs }: SampleChoice): readonly unknown[] {
  const chosen = new Set(target.samples.series.find(matchers).map(({ labels }) => labels.key))
  return target.samples.reader.select(EVERYTHING).flatMap((series) => {
    const isGone = (line: string): boolean =>
      chosen.has(series.labels.key) && Number.parseFloat(line) > startMs && Number.parseFloat(line) <= endMs
    const lines = linesOf(series).filter((line) => !isGone(line))
    return lines.length === 0 ? [] : [[String(series.labels), lines]]
  })
}

test.each([
  ['of one series', { matchers: pod('pod 0'), startMs: timeOf(3), endMs: timeOf(9) }],
  ['of all', { matchers: pod('pod.*', '=~'), startMs: timeOf(1), endMs: timeOf(17) }],
  ['of none', { matchers: pod('pod 9'), ...all }],
])('samples %s leave files, log and columns, and stay away', async (_, choice) => {
  const files = newDisk()
  let server = await open(files, { logBytes: 700 })
  for (let round = 0; round < 20; round++) {
    await server.send(scrape(round))
    await server.persister.settled()
  }
  expect(server.files().length).toBeGreaterThan(1)
  const before = server.target.samples.reader.select({ guard: undefined, ...choice })
  const expected = shownBut(server, choice)
  const count = before.reduce((sum, { timesMs }) => sum + timesMs.length, 0)
  expect(await server.persister.deleteSamples('default', choice)).toBe(count)
  expect(server.shown()).toEqual(expected)
  expect(await server.persister.deleteSamples('default', choice)).toBe(0)
  expect(server.failures).toEqual([])
  await server.persister.close()
  server = await open(files)
  expect(server.shown()).toEqual(expected)
  await server.send(scrape(30))
  expect(server.shown()).not.toEqual(expected)
})

test('a completely deleted series leaves nothing on disk', async () => {
  const files = newDisk()
  const server = await open(files, { logBytes: 700 })
  for (let round = 0; round < 8; round++) await server.send(scrape(round))
  await server.persister.deleteSamples('default', { matchers: pod('pod 1'), ...all })
  await server.persister.settled()
  expect(server.target.samples.series.find(pod('pod 1'))).toEqual([])
  await server.persister.close()
  const texts = (): readonly string[] =>
    ['', 'segments/default'].flatMap((place) => {
      const folder = `${FOLDER}/${place}`
      return files.list(folder).flatMap((name) => {
        const file = files.open(`${folder}/${name}`)
        const bytes = Buffer.alloc(file.size())
        file.read(bytes, 0)
        file.close()
        return bytes.toString('latin1')
      })
    })
  expect(server.batches.extentOf('samples').startId).toBe(server.manifest.state.samplesTo)
  expect(texts().some((text) => text.includes('pod 2'))).toBe(true)
  expect(texts().filter((text) => text.includes('pod 1'))).toEqual([])
})

test('a histogram behind one that is gone is compared with what is before it', async () => {
  const server = await open(newDisk(), { logBytes: 1 })
  const send = async (round: number, count: number): Promise<void> => {
    const timeUnixNano = `${timeOf(round)}000000`
    const point = {
      timeUnixNano,
      count: `${count}`,
      sum: count,
      scale: 0,
      positive: { offset: 0, bucketCounts: [`${count}`] },
    }
    const metrics = [{ name: 'size', exponentialHistogram: { aggregationTemporality: 2, dataPoints: [point] } }]
    await server.send(JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }), 'otlp-metrics-json')
    await server.persister.settled()
  }
  // The third point continues the second one, which had started again from zero.
  for (const [round, count] of [10, 3, 5, 6].entries()) await send(round, count)
  const hints = (): unknown =>
    server.target.samples.reader.select(EVERYTHING).map(({ histograms }) => histograms?.map((each) => each?.hint))
  expect(hints()).toEqual([['unknown', 'unknown', 'not-reset', 'not-reset']])
  const choice = { matchers: [], startMs: timeOf(0), endMs: timeOf(1) }
  expect(await server.persister.deleteSamples('default', choice)).toBe(1)
  expect(hints()).toEqual([['unknown', 'unknown', 'not-reset']])
})

test('an unreadable file makes the deletion fail, and nothing is deleted', async () => {
  const files = newDisk()
  let server = await open(files, { logBytes: 1 })
  for (const round of [0, 100]) {
    await server.send(scrape(round))
    await server.persister.settled()
  }
  await server.persister.close()
  const [first] = server.files()
  const file = files.open(`${FOLDER}/segments/default/${first?.name}`)
  file.write(Buffer.of(0xff), (first?.bytes ?? 0) - 1)
  file.close()
  server = await open(files)
  const choice = { matchers: pod('pod 0'), ...all }
  await expect(server.persister.deleteSamples('default', choice)).rejects.toThrow('damaged')
  expect(await server.persister.deleteSamples('default', { ...choice, startMs: timeOf(50) })).toBe(2)
})

test('samples without a file are deleted, too, and readers in other threads are informed', async () => {
  const server = await open(newDisk(), { logBytes: 1 << 30 })
  const { samples } = server.target
  const labels = Labels.of({ __name__: 'loaded' })
  const resume = server.persister.pause()
  for (let round = 0; round < 5; round++) samples.writer.append(labels, { timeMs: timeOf(round), value: round })
  resume()
  await server.send(scrape(8))
  const exemplar = { labels: Labels.of({ trace_id: 'a' }), value: 1 }
  for (const round of [2, 4]) samples.writer.addExemplar(labels, { ...exemplar, timeMs: timeOf(round) })
  const publisher = new SamplesPublisher(samples)
  const replica = new SampleStore()
  const files = new Map<string, StoredSource>()
  const tell = (): void => {
    for (const source of samples.sources.all) if (source instanceof StoredSource) files.set(source.name, source)
    const opened = (name: string): StoredSource => files.get(name) ?? expect.fail(name)
    for (const news of publisher.news()) applySamplesDelta(replica, news, ({ name }) => opened(name))
  }
  const shown = (store: SampleStore): unknown => [
    store.reader.select(EVERYTHING).map((series) => [String(series.labels), linesOf(series)]),
    store.reader
      .exemplars({ filters: [[]], guard: undefined, ...all })
      .map(({ exemplars }) => exemplars.map(({ timeMs }) => timeMs)),
  ]
  tell()
  expect(shown(replica)).toEqual(shown(samples))
  const choice = { matchers: [], startMs: timeOf(0), endMs: timeOf(3) }
  expect(await server.persister.deleteSamples('default', choice)).toBe(3)
  tell()
  expect(shown(replica)).toEqual(shown(samples))
  expect(samples.reader.exemplars({ filters: [[]], guard: undefined, ...all })[0]?.exemplars).toHaveLength(1)
  expect(
    samples.reader.select({ ...EVERYTHING, matchers: [{ label: '__name__', op: '=', value: 'loaded' }] })[0]?.timesMs,
  ).toEqual(Float64Array.of(timeOf(0), timeOf(4)))
})
