import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SluiceError, nextTurn, present, seededRandom, type Random } from '../../../src/base/index.ts'
import {
  createServer,
  hashKey,
  openDataFolder,
  printKeyFile,
  roles,
  type KeyRecord,
  type SluiceServer,
} from '../../../src/server/index.ts'
import {
  diskFiles,
  inFiles,
  isBatchLogName,
  manifestOf,
  surveyFolder,
  type FolderSurvey,
} from '../../../src/store/durable/index.ts'
import { generationOf } from '../../resources/stores.ts'
import type { Rounds } from '../run.ts'
import { damages } from './damages.ts'

const SALT = 'salt of the damaged copies'
const ADMIN = 'key-of-the-admin'
const BOB = 'key-of-bob'
const BOB_EMAIL = 'bob@example.com'

const SEGMENTS = 'segments/default'
/** Files of the tables in a data folder: a segment, the dictionaries, and a file of samples. */
const tableFiles = ['logs.part', 'logs.dictionaries', 'samples.samples'] as const

export const files = [
  'batches.log',
  'batches.head',
  'samples.log',
  'samples.head',
  'manifest.log',
  'manifest.head',
  'resources.log',
  'resources.head',
  'sluice.json',
  ...tableFiles,
  'keys.json',
] as const

/** True if `repair` can check the file record by record. */
function isLogged(file: string): boolean {
  return file !== 'keys.json' && !tableFiles.some((each) => each === file)
}

/**
 * Returns the path of a file within a data folder. The names of table files contain a number; the first one is chosen.
 */
function placeIn(folder: string, file: string): string {
  if (!tableFiles.some((each) => each === file)) return file
  const [table = '', kind = ''] = file.split('.')
  const path = join(folder, SEGMENTS)
  const names = readdirSync(path).filter((name) => name.startsWith(`${table}-`) && name.endsWith(`.${kind}`))
  return join(SEGMENTS, present(names.toSorted()[0], `${file} of a folder`))
}

/**
 * A server's handling of a damaged copy. `refused`: it refuses to start, or to answer from the damaged data. `whole,
 * and said`: it answers completely and logs the damage. `fault` must never occur.
 */
export type Outcome = 'refused' | 'whole, and said' | 'fault' | 'nothing to damage'

export interface DamageReport {
  copies: number
  /** Number of copies by damage, file and outcome. */
  readonly counts: Map<string, number>
  readonly faults: string[]
  /** Number of repairs. */
  repairs: number
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function call(
  server: SluiceServer,
  key: string,
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<Answer> {
  const response = await server.fetch(
    new Request(`http://localhost${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: key, 'Content-Type': type },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}

/**
 * Counts the rows that a user may see, with a query that reads all of their contents. If the answer reports damage,
 * returns its text instead.
 */
async function countAs(server: SluiceServer, key: string): Promise<unknown> {
  const query = '* | stats count_uniq(content) n, count_uniq(namespace) namespaces, min(_time) first'
  const search = { start: '2020-01-01T00:00:00Z', end: '2040-01-01T00:00:00Z', query }
  const { status, body } = await call(server, key, '/api/logs/v2/search', search)
  if (status === 200) return (body as readonly { readonly n: number }[])[0]?.n
  const text = JSON.stringify(body)
  return text?.includes('durable/damaged') === true ? text : status
}

/**
 * Two metrics whose samples are in separate files and time ranges. Each has a number, a histogram, exemplars and
 * descriptions.
 */
const metrics = [
  { name: 'early', startMs: Date.UTC(2021, 0) },
  { name: 'late', startMs: Date.UTC(2022, 0) },
] as const
type Metric = (typeof metrics)[number]
const PAIRS = 300
/** Sum of a metric's samples. The samples themselves differ between folders. */
const SAMPLES_SUM = PAIRS * 1_000_000

/** Sends the samples of a metric and waits until a sample file contains them. */
async function fillMetric(
  server: SluiceServer,
  folder: string,
  { name, startMs }: Metric,
  random: Random,
): Promise<void> {
  const fileCount = (): number => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names.filter((path) => path.endsWith('.samples')).length
  }
  const before = fileCount()
  const numbers: object[] = []
  const sizes: object[] = []
  for (let i = 0; i < PAIRS; i++) {
    const value = random.below(1_000_000)
    for (const each of [value, 1_000_000 - value]) {
      const timeUnixNano = `${startMs + numbers.length * 1000}000000`
      numbers.push({ timeUnixNano, asInt: `${each}` })
      const counts = [1 + random.below(3), random.below(3)]
      const exemplars = [{ timeUnixNano, asDouble: each, traceId: each.toString(16).padStart(32, '1') }]
      const count = `${counts.reduce((sum, own) => sum + own, 0)}`
      sizes.push({ timeUnixNano, count, sum: each, scale: 2, positive: { offset: 1, bucketCounts: counts }, exemplars })
    }
  }
  const own = [
    { name, description: `what is ${name}`, gauge: { dataPoints: numbers } },
    { name: `${name}_size`, exponentialHistogram: { aggregationTemporality: 2, dataPoints: sizes } },
  ]
  const { status } = await call(server, ADMIN, '/v1/metrics', {
    resourceMetrics: [{ scopeMetrics: [{ metrics: own }] }],
  })
  if (status !== 200) throw new Error(`samples got ${status}`)
  while (fileCount() === before) await nextTurn()
}

interface Vector {
  readonly data: { readonly result: readonly { readonly value: readonly unknown[] }[] }
}

/** Returns the single number in a query's answer. If the answer reports damage, returns its text instead. */
async function numberOf(server: SluiceServer, query: string, timeMs: number): Promise<unknown> {
  const parameters = new URLSearchParams({ query, time: `${timeMs / 1000}` })
  const { status, body } = await call(server, ADMIN, `/api/v1/query?${parameters.toString()}`)
  return status === 200 ? Number((body as Vector).data.result[0]?.value[1]) : `${status} ${JSON.stringify(body)}`
}

/**
 * Returns the outcome for a metric, or a description of the fault. Refusing a query is correct if the message names the
 * damaged file.
 */
async function metricFault(server: SluiceServer, { name, startMs }: Metric, file: string): Promise<string> {
  const endMs = startMs + 86_000_000
  const found = [
    await numberOf(server, `sum_over_time(${name}[1d])`, endMs),
    await numberOf(server, `histogram_sum(sum_over_time(${name}_size[1d]))`, endMs),
  ]
  const isNamed = (text: unknown): boolean => String(text).includes(file)
  if (found.some((each) => each !== SAMPLES_SUM && !isNamed(each))) return `${name} adds up to ${found.join(' and ')}`
  const times = { start: `${startMs / 1000}`, end: `${endMs / 1000}` }
  const parameters = new URLSearchParams({ query: `${name}_size`, ...times })
  const exemplars = await call(server, ADMIN, `/api/v1/query_exemplars?${parameters.toString()}`)
  const described = await call(server, ADMIN, `/api/v1/metadata?metric=${name}`)
  const { data = [] } = exemplars.body as { readonly data?: readonly { readonly exemplars: readonly unknown[] }[] }
  // If the times of any metric cannot be read, the server refuses all descriptions.
  const isDescribed = JSON.stringify(described.body).includes(described.status === 200 ? `what is ${name}` : file)
  const isWhole = isDescribed && data[0]?.exemplars.length === 2 * PAIRS
  // The server reads exemplars and descriptions only at its start, so it logs their damage then.
  if (!isWhole && !logged.some(isNamed)) return `${name} has other exemplars or descriptions, without a word`
  return isWhole && found.every((each) => each === SAMPLES_SUM) ? 'whole, and said' : 'refused'
}

const logged: string[] = []
const logger = {
  info: () => {},
  error: (fields: Readonly<Record<string, unknown>>) => void logged.push(JSON.stringify(fields)),
}

function start(folder: string): Promise<SluiceServer> {
  return createServer({ data: folder, keys: { file: join(folder, 'keys.json') }, logger, logBytes: LOG_BYTES })
}

const record = (key: string, email?: string): KeyRecord => ({
  hash: hashKey(SALT, key),
  email,
  roles: new Set(email === undefined ? roles : ['read']),
  backends: new Set(['default']),
})

/** Size limit of the log in bytes, so small that most batches move to segments. */
const LOG_BYTES = 3000
const BATCHES = 30
const ROWS = 20
/** Rows per batch in the namespace that the user Bob may see. */
const SEEN = 5

/** Compacts the log of document changes in a folder. */
async function compact(folder: string): Promise<void> {
  const opened = await openDataFolder(folder, () => 1n, { compactBytes: 0 })
  while (generationOf(folder) === 0) await nextTurn()
  await opened.close()
}

const QUIET_MS = 300

/**
 * Waits until all writes have reached the disk. Otherwise a copy could contain a record that the log's head file does
 * not count yet.
 */
async function quiet(folder: string): Promise<void> {
  const isSyncing = (): boolean => process.getActiveResourcesInfo().includes('FSReqCallback')
  const writes = (): string => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
    return names.map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs}`).join()
  }
  for (let before = ''; before !== writes() || isSyncing(); before = writes()) {
    before = writes()
    await sleep(QUIET_MS)
    // After a late timer, completed disk operations may still wait for the event loop.
    await nextTurn()
  }
}

/**
 * Fills a folder with data, and with a policy that hides most of it from the user Bob. `atKill` gets a copy in the
 * state that a kill leaves, `compacted` a copy whose log of changes is compacted.
 */
async function fill(folder: string, atKill: string, compacted: string, random: Random): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'keys.json'), printKeyFile(SALT, [record(ADMIN), record(BOB, BOB_EMAIL)]))
  const server = await start(folder)
  await server.readBack
  const scope = { simple: { conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] } }
  const policy = { name: 'shop', role: { read: '' }, dataScope: scope }
  const { body } = await call(server, ADMIN, '/api/rbac/policy/create', policy)
  const { uuid } = body as { readonly uuid: string }
  await call(server, ADMIN, '/api/rbac/policy/apply', { emails: [BOB_EMAIL], policyUUIDs: [uuid] })
  for (let batch = 0; batch < BATCHES; batch++) {
    const lines = Array.from({ length: ROWS }, (_, row) =>
      JSON.stringify({ content: `${batch} ${row} ${'x'.repeat(batch * 7)}`, namespace: row < SEEN ? 'shop' : 'bank' }),
    )
    const { status } = await call(server, ADMIN, '/api/ingest/logs', lines.join('\n'), 'application/x-ndjson')
    if (status !== 200) throw new Error(`a batch got ${status}`)
  }
  for (const metric of metrics) await fillMetric(server, folder, metric, random)
  const sample = `# TYPE up gauge\nup 1\n`
  const { status } = await call(server, ADMIN, '/api/v1/import/prometheus', sample, 'text/plain')
  if (status !== 200) throw new Error(`samples got ${status}`)
  await quiet(folder)
  cpSync(folder, atKill, { recursive: true })
  await server.close()
  cpSync(folder, compacted, { recursive: true })
  await compact(compacted)
}

/**
 * Starts a server over a data folder in which `file` is damaged. Returns how the server handled the damage, with a
 * description if it did so wrongly.
 */
async function look(folder: string, file: string): Promise<{ readonly outcome: Outcome; readonly fault?: string }> {
  logged.length = 0
  let server: SluiceServer
  try {
    server = await start(folder)
  } catch (error) {
    if (error instanceof SluiceError && error.code !== 'internal') return { outcome: 'refused' }
    return { outcome: 'fault', fault: `it threw ${String(error)}` }
  }
  try {
    const refusal = await server.readBack.then(
      () => undefined,
      (error: Error) => error,
    )
    const health = (await call(server, ADMIN, '/healthz')).status
    if (health !== 200) return { outcome: 'fault', fault: `health is ${health}` }
    const seen = [await countAs(server, ADMIN), await countAs(server, BOB)]
    if (refusal !== undefined) {
      if (!(refusal instanceof SluiceError)) return { outcome: 'fault', fault: `it threw ${refusal.message}` }
      const isNamed =
        refusal.message.includes(file) && refusal.diagnostics[0]?.notes.join(' ').includes('sluice repair')
      if (isNamed !== true) return { outcome: 'fault', fault: `it does not name ${file}: ${refusal.message}` }
      const others = ['/metrics', '/readyz', '/openapi.json', '/api/rbac/policies/list']
      for (const path of others) seen.push((await call(server, ADMIN, path)).status)
      const isClosed = seen.every((each) => each === 503)
      return isClosed
        ? { outcome: 'refused' }
        : { outcome: 'fault', fault: `refused, yet it answers ${seen.join(' ')}` }
    }
    const ofMetrics = [await metricFault(server, metrics[0], file), await metricFault(server, metrics[1], file)]
    const fault = ofMetrics.find((each) => each !== 'refused' && each !== 'whole, and said')
    if (fault !== undefined) return { outcome: 'fault', fault }
    if (ofMetrics.includes('refused')) {
      if (ofMetrics.includes('whole, and said') && seen[0] === BATCHES * ROWS) return { outcome: 'refused' }
      return { outcome: 'fault', fault: `metrics are ${ofMetrics.join(' and ')}, rows ${String(seen[0])}` }
    }
    // Row groups are read on demand. Rows of a damaged one must be refused, never omitted.
    const refusals = seen.filter((each) => typeof each === 'string')
    if (refusals.length > 0 && refusals.every((text) => text.includes(file))) return { outcome: 'refused' }
    if (seen[0] !== BATCHES * ROWS) return { outcome: 'fault', fault: `${String(seen[0])} rows are left` }
    if (seen[1] !== BATCHES * SEEN) return { outcome: 'fault', fault: `Bob sees ${String(seen[1])}` }
    if (!/\.(?:part|samples)$/.test(file) && !logged.some((line) => line.includes(file)))
      return { outcome: 'fault', fault: 'opened without a word' }
    return { outcome: 'whole, and said' }
  } finally {
    await server.close()
  }
}

/**
 * Checks that a repair accounts for all ids: each is kept or reported as lost. Batches whose rows are in segments may
 * be absent. Returns a description of the fault; `undefined` if there is none.
 */
function repairFault({ logs }: FolderSurvey, sound: FolderSurvey): string | undefined {
  const ends = inFiles(manifestOf(present(sound.logs.find(({ logName }) => logName === 'manifest')).records()))
  for (const { logName, kept, lost, isEndKnown, damage } of logs) {
    const { kept: total, startId } = present(sound.logs.find((each) => each.logName === logName))
    const needed = isBatchLogName(logName) ? Math.min(total, startId + total - ends[logName]) : total
    const count = kept + lost.reduce((sum, { first, last }) => sum + last - first + 1, 0)
    if (damage === undefined ? kept !== total : isEndKnown && (count < needed || count > total))
      return `repair of ${logName}: ${kept} kept, ${count - kept} lost of ${total}`
  }
  return undefined
}

export interface DamageOptions {
  readonly more: Rounds
  readonly seed: number
}

/** States of the data folders whose copies are damaged. */
export const conditions = ['closed', 'killed', 'compacted'] as const

/** Damages copies of data folders, each in one file and one way, and starts a server over each copy. */
export async function damageCopies({ more, seed }: DamageOptions): Promise<DamageReport> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-damage-'))
  const report: DamageReport = { copies: 0, counts: new Map(), faults: [], repairs: 0 }
  const cells = files.flatMap((file) => [...damages].map(([name, damage]) => ({ file, name, damage })))
  try {
    const sound = conditions.map((name) => join(root, name))
    await fill(join(root, 'closed'), join(root, 'killed'), join(root, 'compacted'), seededRandom(seed))
    await fill(join(root, 'other'), join(root, 'unused'), join(root, 'unused too'), seededRandom(seed + 1))
    const surveys = sound.map((folder) => surveyFolder(diskFiles, folder))
    for (; more(report.copies); report.copies++) {
      const random = seededRandom(seed + report.copies)
      const { file, name, damage } = present(cells[report.copies % cells.length])
      const condition = Math.floor(report.copies / cells.length) % sound.length
      const from = present(sound[condition])
      const folder = join(root, 'copy')
      cpSync(from, folder, { recursive: true })
      const place = placeIn(folder, file)
      const isDamaged = damage(join(folder, place), random, join(root, 'other', placeIn(join(root, 'other'), file)))
      // The survey must precede the start of a server, which may write to the folder.
      const survey = isDamaged && isLogged(file) ? surveyFolder(diskFiles, folder) : undefined
      const { outcome, fault } = isDamaged
        ? await look(folder, basename(place))
        : { outcome: 'nothing to damage' as const }
      const repair =
        outcome === 'refused' && survey !== undefined ? repairFault(survey, present(surveys[condition])) : undefined
      if (outcome === 'refused') report.repairs++
      const what = `${name}, ${file}`
      const key = `${what}: ${outcome}`
      report.counts.set(key, (report.counts.get(key) ?? 0) + 1)
      const told = fault ?? repair
      if (told !== undefined)
        report.faults.push(`seed ${seed + report.copies}, ${what}, ${conditions[condition]}: ${told}`)
      rmSync(folder, { recursive: true })
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return report
}

/** Formats the number of each outcome by file and damage as a table. */
export function tableOf({ counts }: DamageReport): string {
  const heads = ['refused', 'whole, and said', 'fault', 'nothing to damage'] as const
  const lines = files.flatMap((file) =>
    [...damages.keys()].map((name) => {
      const cells = heads.map((outcome) => String(counts.get(`${name}, ${file}: ${outcome}`) ?? 0).padStart(18))
      return `${file.padEnd(20)}${name.padEnd(24)}${cells.join('')}`
    }),
  )
  return [
    `${'file'.padEnd(20)}${'damage'.padEnd(24)}${heads.map((head) => head.padStart(18)).join('')}`,
    ...lines,
  ].join('\n')
}
