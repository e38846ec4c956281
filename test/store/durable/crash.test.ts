import { expect, test } from 'vitest'
import {
  BatchLogs,
  openLogs,
  logNames,
  readLog,
  readMarker,
  type Batch,
  type DataFolderLogs,
  type LogEnd,
  type LogName,
  type RecordLog,
} from '../../../src/store/durable/index.ts'
import { committedEnd } from '../../../src/store/durable/read-log.ts'
import { CrashFiles, Killed } from './crash-files.ts'
import { linesOfCall, placesOfSyncs } from './sync-places.ts'

const ROOT = '/disk'
const FOLDER = '/disk/data'

/** Separates strings that a replacement log stores in one record. */
const MARK = '|'

function textsIn(log: RecordLog): readonly string[] {
  return [...log.read()].flatMap(({ body }) => body.toString().split(MARK))
}

/** Returns the kind of a file and the source lines that sync it. */
function placeOf(name: string): string {
  const lines = linesOfCall('src/store/durable').slice(0, 2)
  return `${name.replace(/^(batches|samples|manifest|resources)/, '*')} ${lines.join(' < ')}`
}

/** Writes to a data folder. After every step it checks each state that a power loss could leave. */
class Scenario {
  readonly faults: string[] = []
  /** Source lines of the calls that synced a file to disk, in call order. */
  readonly syncs: string[] = []
  states = 0
  readonly files: CrashFiles
  /** Accepted records, in the order in which they were submitted. */
  readonly #issued: Record<LogName, string[]> = { batches: [], samples: [], manifest: [], resources: [] }
  /** Number of issued records that were acknowledged, or visible after a restart. */
  readonly #promised: Record<LogName, number> = { batches: 0, samples: 0, manifest: 0, resources: 0 }

  constructor(leftOut?: number) {
    this.files = new CrashFiles(
      {
        onStep: (files) => this.#look(files),
        onSync: (name) => this.syncs.push(placeOf(name)) - 1 !== leftOut,
      },
      new Map(),
      [ROOT],
    )
  }

  open(): DataFolderLogs {
    const opened = openLogs(this.files, FOLDER)
    for (const part of logNames) {
      this.#issued[part].length = opened.logs[part].startId + textsIn(opened.logs[part]).length
      this.#promised[part] = this.#issued[part].length
    }
    return opened
  }

  commit({ logs }: DataFolderLogs, part: LogName, texts: readonly string[]): void {
    const issued = this.#issued[part]
    const before = issued.length
    issued.push(...texts)
    try {
      logs[part].commit(texts.map((text) => [Buffer.from(text)]))
    } catch (error) {
      // A record whose writer got an error must never appear.
      if (!(error instanceof Killed)) issued.length = before
      throw error
    }
    this.#promised[part] = issued.length
  }

  /** Commits records in the way the document store does. */
  async commitLater({ logs }: DataFolderLogs, part: LogName, texts: readonly string[]): Promise<void> {
    this.#issued[part].push(...texts)
    await logs[part].commitLater(texts.map((text) => [Buffer.from(text)]))
    this.#promised[part] = this.#issued[part].length
  }

  /** Removes records that were never acknowledged. */
  cut({ logs }: DataFolderLogs, part: LogName, end: LogEnd): void {
    this.#promised[part] = end.lastId
    logs[part].cutTo(end.lastId)
    this.#issued[part].length = end.lastId
    this.#look(this.files)
  }

  /** Replaces a log with one that stores all strings in a single record. */
  async rewrite({ logs }: DataFolderLogs, part: LogName): Promise<void> {
    const log = logs[part]
    const next = log.beginNew()
    next.add([Buffer.from(this.#issued[part].join(MARK))])
    await log.replaceBy(next)
    this.#look(this.files)
  }

  /** Removes the first records of a log, up to the id `toId`. */
  async shorten({ logs }: DataFolderLogs, part: LogName, toId: number): Promise<void> {
    const log = logs[part]
    const next = log.beginNew(toId)
    for (const text of this.#issued[part].slice(toId)) next.add([Buffer.from(text)])
    await log.replaceBy(next)
    this.#look(this.files)
  }

  #look(files: CrashFiles): void {
    if (this.faults.length >= 5) return
    for (const left of files.crashes()) {
      this.states++
      const fault = this.#faultOf(left)
      if (fault !== undefined) this.faults.push(`after ${this.syncs.length} syncs: ${fault}`)
    }
  }

  #faultOf(left: CrashFiles): string | undefined {
    try {
      const folderId = readMarker(left, FOLDER)
      for (const part of logNames) {
        if (folderId === undefined || this.#promised[part] === 0) continue
        // Check the records that the head names, not those that may follow them in the file.
        const { lastId } = committedEnd(left, FOLDER, part, folderId)
        let startId = 0
        const records = [...readLog(left, FOLDER, part, folderId, (told) => (startId = told.startId))]
        const texts = startId + records.flatMap(({ body }) => body.toString().split(MARK)).length
        if (startId + records.length !== lastId || texts < this.#promised[part])
          return `${part}: ${texts} are named, ${this.#promised[part]} are promised`
      }
      const { logs } = openLogs(left, FOLDER)
      for (const part of logNames) {
        const { startId } = logs[part]
        const found = textsIn(logs[part])
        if (startId + found.length < this.#promised[part])
          return `${part}: ${startId + found.length} of ${this.#promised[part]} are left`
        const wrong = found.findIndex((text, i) => text !== this.#issued[part][startId + i])
        if (wrong !== -1) return `${part}: text ${wrong + 1} is not the one that was written`
      }
    } catch (error) {
      return `it does not open: ${String(error)}`
    }
    return undefined
  }
}

/** Runs a first start, commits, a full disk, and kills during commits, each followed by a restart. */
function live(scenario: Scenario): void {
  const { files } = scenario
  let folder = scenario.open()
  scenario.commit(folder, 'batches', ['one'])
  scenario.commit(folder, 'batches', ['two', 'three '.repeat(300), 'four'])
  scenario.commit(folder, 'resources', ['policy'])
  files.freeBytes = 40
  expect(() => scenario.commit(folder, 'batches', ['6', 'too large for what is left'])).toThrow('no space left')
  files.freeBytes = Infinity
  scenario.commit(folder, 'batches', ['five'])
  // Kill before the sync of the log, before the write of the head, and before its sync. The fourth kill tears a record.
  for (const [kill, text] of ['a', 'b', 'c'].entries()) {
    files.killIn = 3 + kill
    expect(() => scenario.commit(folder, 'batches', [text])).toThrow(Killed)
    files.killIn = Infinity
    folder = scenario.open()
  }
  files.killIn = 2
  expect(() => scenario.commit(folder, 'resources', ['silence'])).toThrow(Killed)
  files.killIn = Infinity
  folder = scenario.open()
  scenario.commit(folder, 'resources', ['monitor'])
  scenario.commit(folder, 'batches', ['kept'])
  const { end } = folder.logs.batches
  scenario.commit(folder, 'batches', ['taken back'])
  scenario.commit(folder, 'batches', ['this too', 'and this'])
  scenario.cut(folder, 'batches', end)
  scenario.commit(folder, 'batches', ['last'])
}

/** Runs replacements of logs: with changes in between, with a kill at every step, and on a full disk. */
async function replace(scenario: Scenario): Promise<void> {
  const { files } = scenario
  let folder = scenario.open()
  await scenario.commitLater(folder, 'resources', ['policy', 'silence'])
  await scenario.rewrite(folder, 'resources')
  await scenario.commitLater(folder, 'resources', ['after', 'after that'])
  await scenario.rewrite(folder, 'resources')
  folder = scenario.open()
  await scenario.commitLater(folder, 'resources', ['again'])
  for (let kill = 1; kill <= 10; kill++) {
    files.killIn = kill
    await expect(scenario.rewrite(folder, 'resources')).rejects.toThrow(Killed)
    files.killIn = Infinity
    folder = scenario.open()
    await scenario.commitLater(folder, 'resources', [`after kill ${kill}`])
  }
  files.freeBytes = 10
  await expect(scenario.rewrite(folder, 'resources')).rejects.toThrow('no space left')
  files.freeBytes = Infinity
  await scenario.commitLater(folder, 'resources', ['end'])
}

/** Removes the first records of logs, with commits, kills and cuts in between. */
async function shorten(scenario: Scenario): Promise<void> {
  const { files } = scenario
  let folder = scenario.open()
  await scenario.commitLater(folder, 'batches', ['one', 'two', 'three'])
  await scenario.shorten(folder, 'batches', 2)
  await scenario.commitLater(folder, 'batches', ['four', 'five'])
  scenario.cut(folder, 'batches', { ...folder.logs.batches.end, lastId: 4 })
  await scenario.shorten(folder, 'batches', 4)
  folder = scenario.open()
  await scenario.commitLater(folder, 'batches', ['six'])
  for (let kill = 1; kill <= 9; kill += 2) {
    files.killIn = kill
    await expect(scenario.shorten(folder, 'batches', 4)).rejects.toThrow(Killed)
    files.killIn = Infinity
    folder = scenario.open()
    await scenario.commitLater(folder, 'batches', [`after kill ${kill}`])
  }
  await scenario.shorten(folder, 'batches', folder.logs.batches.lastId)
  await scenario.commitLater(folder, 'batches', ['end'])
}

const scripts: readonly ((scenario: Scenario) => Promise<void> | void)[] = [live, replace, shorten]

test.each(scripts)(
  'whatever a loss of power leaves opens to all that was promised and nothing that was refused',
  async (script) => {
    const scenario = new Scenario()
    await script(scenario)
    expect(scenario.faults).toEqual([])
    expect(scenario.states).toBeGreaterThan(300)
  },
)

test(
  'each place that syncs is needed: without one of its syncs a loss of power breaks a promise',
  { tags: ['slow'] },
  async () => {
    const { places, needed } = await placesOfSyncs(
      scripts.map((script) => async (leftOut) => {
        const scenario = new Scenario(leftOut)
        await script(scenario)
        return { syncs: scenario.syncs, hasFault: () => scenario.faults.length > 0 }
      }),
    )
    expect([...places].filter((place) => !needed.has(place))).toEqual([])
    expect(needed.size).toBeGreaterThan(11)
  },
)

test('acknowledgements of batches wait for both syncs', async () => {
  let promised = 0
  const faults: string[] = []
  const look = (files: CrashFiles): void => {
    for (const left of files.crashes()) {
      if (readMarker(left, FOLDER) === undefined) continue
      const { logs } = openLogs(left, FOLDER)
      const found = [...new BatchLogs(logs).replay()].length
      if (found < promised) faults.push(`${found} of ${promised}`)
    }
  }
  const files = new CrashFiles({ onStep: look }, new Map(), [ROOT])
  const log = new BatchLogs(openLogs(files, FOLDER).logs)
  const batch = (text: string): Batch => ({
    backend: 'default',
    table: 'logs',
    format: 'ndjson',
    receivedNs: 1n,
    payload: Buffer.from(text),
  })
  const send = async (writer: number): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      await log.append(batch(`${writer} ${i}`))
      promised++
      look(files)
    }
  }
  await Promise.all([send(1), send(2), send(3)])
  await log.close()
  expect([promised, faults]).toEqual([15, []])
})
