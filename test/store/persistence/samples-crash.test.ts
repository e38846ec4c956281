// @module-tag slow
import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { linesOfCall, placesOfSyncs } from '../durable/sync-places.ts'
import { EVERYTHING } from '../sample-files/file-of.ts'
import { START_MS, openSamples, type OpenSamples } from './open-samples.ts'

const ROOT = '/disk'
const BATCHES = 9

/** Returns the change that a batch adds to a sum. A duplicate makes the sum too high, a loss makes it too low. */
function delta(batch: number): string {
  const ns = (second: number): string => `${BigInt(START_MS) * 1_000_000n + BigInt(second) * 1_000_000_000n}`
  const point = { startTimeUnixNano: ns(batch), timeUnixNano: ns(batch + 1), asInt: String(1 << batch) }
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints: [point] }
  return JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'served', sum }] }] }] })
}

/** After the batch `after`, the samples of the first `batches` batches are deleted. */
const DELETED = { after: 6, batches: 3 }
const CHOICE = {
  matchers: [{ label: '__name__', op: '=~', value: 'served.*' }] as const,
  startMs: -Infinity,
  endMs: START_MS + DELETED.batches * 1000,
}

/** Progress of a deletion. */
type Deletion = 'not begun' | 'begun' | 'done'

interface Left {
  readonly deletion: Deletion
  readonly files: CrashFiles
  readonly promised: number
  readonly issued: number
  readonly step: number
}

/** Ingests batches while files are written, merged and removed. Checks the state after a power loss at every step. */
class Scenario {
  readonly syncs: string[] = []
  readonly left: Left[] = []
  readonly files: CrashFiles
  merged = 0
  #deletion: Deletion = 'not begun'
  #issued = 0
  #promised = 0

  constructor(leftOut?: number) {
    this.files = new CrashFiles(
      { onStep: (files) => this.#look(files), onSync: (name) => this.syncs.push(placeOf(name)) - 1 !== leftOut },
      new Map(),
      [ROOT],
    )
  }

  #look(files: CrashFiles): void {
    const state = { deletion: this.#deletion, promised: this.#promised, issued: this.#issued, step: this.syncs.length }
    for (const left of files.crashes()) this.left.push({ files: left, ...state })
  }

  async live(): Promise<void> {
    let server = await openSamples(this.files, { logBytes: 300 })
    for (let batch = 0; batch < BATCHES; batch++) {
      this.#issued++
      await server.send(delta(batch), 'otlp-metrics-json')
      this.#promised++
      if (batch % 4 !== 2) await server.persister.settled()
      if (batch === DELETED.after) {
        this.#deletion = 'begun'
        expect(await server.persister.deleteSamples('default', CHOICE)).toBe(DELETED.batches)
        this.#deletion = 'done'
      }
      if (batch !== 5) continue
      await server.persister.close()
      server = await openSamples(this.files, { logBytes: 300 })
    }
    await server.persister.settled()
    expect(server.failures).toEqual([])
    this.merged = server
      .files()
      .filter(({ rowGroups: [samples] }) => present(samples).endSequence - present(samples).firstSequence > 2).length
    expect(server.batches.extentOf('samples').startId).toBeGreaterThan(1)
    expect(sums(server)).toEqual(expectedSums(BATCHES, true))
  }

  async faults(limit: number): Promise<readonly string[]> {
    const faults: string[] = []
    for (const { files, deletion, promised, issued, step } of this.left) {
      if (faults.length >= limit) break
      const fault = await faultOf(files, deletion, promised, issued)
      if (fault !== undefined) faults.push(`after ${step} syncs: ${fault}`)
    }
    return faults
  }
}

function sums({ target }: OpenSamples): readonly number[] {
  return target.samples.reader.select(EVERYTHING).flatMap(({ values }) => [...values])
}

function expectedSums(batches: number, isDeleted: boolean): readonly number[] {
  return Array.from({ length: batches }, (_, batch) => (2 << batch) - 1).slice(isDeleted ? DELETED.batches : 0)
}

async function faultOf(
  files: CrashFiles,
  deletion: Deletion,
  promised: number,
  issued: number,
): Promise<string | undefined> {
  try {
    const server = await openSamples(files, { logBytes: 300 })
    if (server.failures.length > 0) return `something is wrong: ${String(server.failures[0])}`
    const found = sums(server)
    await server.persister.settled()
    const batches = Math.round(Math.log2((found.at(-1) ?? 0) + 1))
    if (batches < promised) return `${batches} of ${promised} batches`
    if (batches > issued) return `${batches} batches, of which ${issued} were sent`
    const isDeleted = deletion === 'done' || (deletion === 'begun' && found.length < batches)
    if (String(found) !== String(expectedSums(batches, isDeleted))) return `${deletion}, sums ${String(found)}`
    if (String(sums(server)) !== String(found)) return 'other sums once files are written'
    const { startId } = server.batches.extentOf('samples')
    if (isDeleted && startId < DELETED.batches) return `deleted samples are in the log, which begins behind ${startId}`
    if (server.failures.length > 0) return `something is wrong then: ${String(server.failures[0])}`
    return undefined
  } catch (error) {
    return `it does not open: ${String(error)}`
  }
}

/** Returns the kind of a file and the source line that syncs it. */
function placeOf(name: string): string {
  const [line] = linesOfCall('src/store/persistence')
  return line === undefined ? '' : `${name.replace(/-\d+/, '')} ${line}`
}

test('whatever a loss of power leaves while files of samples are written gives every sample once', async () => {
  const scenario = new Scenario()
  await scenario.live()
  expect(await scenario.faults(5)).toEqual([])
  expect(scenario.left.length).toBeGreaterThan(300)
  expect(scenario.merged).toBeGreaterThan(0)
})

test('each sync of a file of samples and of its name is needed', async () => {
  const { places, needed } = await placesOfSyncs([
    async (leftOut) => {
      const scenario = new Scenario(leftOut)
      await scenario.live()
      return { syncs: scenario.syncs, hasFault: async () => (await scenario.faults(1)).length > 0 }
    },
  ])
  expect([...places].filter((place) => !needed.has(place))).toEqual([])
  expect(places.size).toBeGreaterThan(1)
})
