import { SluiceError, seededRandom, type Random } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { Instant, Labels, type StoredRow, type Value } from '../../src/data/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { fuzzRows } from '../../src/fuzz/dataset.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { escapeRegexp } from '../../src/lang/json/to-text-names.ts'
import { lowerPromql, parsePromqlOrThrow } from '../../src/lang/promql/index.ts'
import { seriesSelects } from '../../src/plan/index.ts'
import { openSqliteDocumentStore, readMonitor, readPolicyCreate, type Actor } from '../../src/resources/index.ts'
import { createResources } from '../../src/server/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { SqliteSamples, openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'
import { decode, monitorList, policyApply, silenceCreate } from '../../src/wire/index.ts'
import type { Place } from './places.ts'
import type { Template } from './pairs.ts'
import type { SqlOf } from './sql-of.ts'
import { sqlToldDuring } from './told-sql.ts'

/** Makes templates whose statements are those that the database is told. */
export type StoreTemplates = (random: Random) => Promise<readonly Template[]>

/** Databases in memory that are filled by attacks are begun anew after this many questions. */
const QUESTIONS_PER_DATABASE = 400

async function toldBy(work: () => unknown): Promise<SqlOf> {
  try {
    const told = await sqlToldDuring(work)
    return { kind: 'sql', text: told.join('\n;\n') }
  } catch (error) {
    if (error instanceof SluiceError) return { kind: 'refused', code: error.code }
    throw error
  }
}

function template(source: string, place: Place['kind'], work: (text: string) => unknown): Template {
  return {
    source,
    place,
    make: (text) => toldBy(() => work(text)),
    show: (text) => text,
    without: undefined,
    isStarKept: false,
    others: [],
  }
}

/** Label names that stay themselves. */
const label = (name: string): string => JSON.stringify(name)

export async function promqlTemplates(): Promise<StoreTemplates> {
  const samples = new SqliteSamples(await openSqlite(':memory:'))
  const known = ['api', 'web', 'db'].flatMap((job) => ['i0', 'i1'].map((instance) => ({ job, instance })))
  samples.append(known.map((labels) => ({ labels: Labels.of({ __name__: 'up', ...labels }), timeMs: 1000, value: 1 })))
  const select = (promql: string): void => {
    for (const { matchers } of seriesSelects(lowerPromql(parsePromqlOrThrow(promql)))) {
      samples.select({ matchers, guard: undefined, startMs: 0, endMs: 2000 })
      samples.series({ filters: [matchers], guard: undefined, startMs: 0, endMs: 2000 })
    }
  }
  return (random) => {
    const others = [`job="api"`, `instance=~"i.+"`, `zone!="x"`, `job!~"w.*"`, `"ver.sion"=""`].filter(
      () => random.next() < 0.4,
    )
    const op = random.pick(['=', '!='])
    const patternOp = random.pick(['=~', '!~'])
    const put = (matcher: string): string => `up{${[matcher, ...others].join(', ')}}`
    return Promise.resolve([
      template('promql', 'value', (text) => select(put(`job${op}${label(text)}`))),
      template('promql', 'name', (text) => select(put(`${label(text)}${op}"api"`))),
      template('promql', 'name', (text) => select(`{${[label(text), ...others].join(', ')}}`)),
      template('promql', 'pattern', (text) => select(put(`job${patternOp}${label(escapeRegexp(text))}`))),
    ])
  }
}

const NOW_NS = 1_767_268_800_000_000_000n

const bytesOf = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body))

function clockAndIds(): { readonly nowNs: () => bigint; readonly randomBytes: (count: number) => Uint8Array } {
  let now = NOW_NS
  let id = 0
  return {
    nowNs: () => now++,
    randomBytes: (count) => {
      const bytes = new Uint8Array(count)
      new DataView(bytes.buffer).setUint32(count - 4, ++id)
      return bytes
    },
  }
}

async function resources() {
  const { nowNs, randomBytes } = clockAndIds()
  const store = await openSqliteDocumentStore(':memory:', nowNs)
  const engine = createEngine({
    backends: [columnarBackend(createMemoryStore(standardCatalog), standardFunctions)],
    clock: { nowMs: () => 0, nowNs },
  })
  return { store, ...createResources({ store, engineOf: () => engine, randomBytes }) }
}

type Resources = Awaited<ReturnType<typeof resources>>

const actor: Actor = { backend: 'default', by: 'test', email: 'a@b.c' }
const ignore = (): void => {}

async function changeMonitor({ monitors }: Resources, who: Actor, body: unknown): Promise<void> {
  const made = readMonitor(bytesOf(body))
  const id = await monitors.create(who, made, ignore)
  monitors.read(who, id)
  await monitors.update(who, id, made, ignore)
  await monitors.remove(who, id)
}

async function changeSilence({ silences }: Resources, who: Actor, members: object): Promise<void> {
  const times = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-02-01T00:00:00Z' }
  const { id } = await silences.create(who, decode(silenceCreate, { ...times, ...members }))
  silences.list(who, { active: 'true', limit: undefined, skip: 0 })
  await silences.remove(who, id)
}

async function changePolicy({ policies }: Resources, who: Actor, body: unknown): Promise<void> {
  const made = readPolicyCreate(bytesOf(body))
  const { uuid } = await policies.create(who, made)
  policies.list(who)
  await policies.update(who, uuid, { ...made, currentRevision: 1 })
  await policies.apply(who, decode(policyApply, { emails: ['a@b.c'], policyUUIDs: [uuid] }))
  await policies.remove(who, uuid)
}

async function listMonitors({ monitors }: Resources, request: object): Promise<void> {
  await monitors.list(actor, decode(monitorList, request), ignore)
}

const scopeOf = (key: string, value: string): object => ({
  simple: { conditions: [{ key, type: 'string', origin: 'root', filters: [{ op: 'match', value }] }] },
})

/** Everything that a user writes into monitors, silences and policies, and into their filters and sorts. */
const resourceWork: readonly (readonly [Place['kind'], (all: Resources, text: string) => Promise<void>])[] = [
  ['value', (all, text) => changeMonitor(all, actor, { title: text, labels: { a: text }, category: text })],
  ['name', (all, text) => changeMonitor(all, actor, { title: 'm', labels: { [text]: 'a' }, [text]: 1 })],
  ['value', (all, text) => changeSilence(all, actor, { comment: text, BackendID: text })],
  ['value', (all, text) => changeSilence(all, actor, { matchers: [{ name: 'a', value: text }] })],
  ['name', (all, text) => changeSilence(all, actor, { matchers: [{ name: text, value: 'a' }] })],
  [
    'pattern',
    (all, text) => changeSilence(all, actor, { matchers: [{ name: 'a', value: escapeRegexp(text), isRegex: true }] }),
  ],
  ['name', (all, text) => changePolicy(all, actor, { name: text, description: text, role: { read: '' } })],
  ['name', (all, text) => changePolicy(all, actor, { name: 'p', role: { [text]: text } })],
  ['value', (all, text) => changePolicy(all, actor, { name: 'p', dataScope: scopeOf('cluster', text) })],
  ['value', (all, text) => listMonitors(all, { query: `monitor_name:${JSON.stringify(text)}`, sort: 'type' })],
  ['name', (all, text) => listMonitors(all, { query: `${JSON.stringify(text)}:a`, sort: 'name' })],
  [
    'value',
    (all, text) =>
      listMonitors(all, { conditions: [{ key: 'type', filters: [{ op: 'contains', value: text }] }], skip: 1 }),
  ],
  ['name', (all, text) => changeMonitor(all, { ...actor, backend: text, by: text, email: text }, { title: 'm' })],
  ['value', (all, text) => Promise.resolve(all.monitors.read(actor, text)).then(ignore)],
  ['value', (all, text) => all.policies.remove(actor, text)],
]

export async function resourceTemplates(): Promise<StoreTemplates> {
  let all = await resources()
  let runs = 0
  return async (random) => {
    if (runs++ % QUESTIONS_PER_DATABASE === QUESTIONS_PER_DATABASE - 1) {
      await all.store.close()
      all = await resources()
      await all.policies.create(actor, readPolicyCreate(bytesOf({ name: 'kept' })))
    }
    const [place, work] = random.pick(resourceWork)
    return [template('resources', place, (text) => work(all, text))]
  }
}

async function ingestDatabase() {
  const connection = await openSqlite(':memory:')
  return { connection, telemetry: sqliteTelemetry(connection, standardCatalog), samples: new SqliteSamples(connection) }
}

/** Everything that taking harmless data in ever tells the database; what it tells depends on what it holds already. */
async function usualStatements(): Promise<ReadonlySet<string>> {
  const told = await sqlToldDuring(async () => {
    const { connection, telemetry, samples } = await ingestDatabase()
    let sequence = 0
    for (let seed = 0; seed < 20; seed++) {
      const rows = fuzzRows(seededRandom(seed), 60).map((row) => ({ ...row, sequence: sequence++ }))
      telemetry.append('logs', rows)
      telemetry.knowledge()
    }
    const many = Array.from({ length: 5000 }, (_, i): StoredRow => {
      const row = new Map<string, Value>([
        ['_time', new Instant(NOW_NS)],
        ['workload', `known ${i}`],
      ])
      return { timeNs: NOW_NS, sequence: sequence + i, row }
    })
    telemetry.append('logs', many)
    telemetry.knowledge()
    samples.append([{ labels: Labels.of({ __name__: 'up', job: 'a' }), timeMs: 1, value: 1 }])
    connection.close()
  })
  return new Set(told)
}

export async function ingestTemplates(): Promise<StoreTemplates> {
  const usual = await usualStatements()
  let at = await ingestDatabase()
  let count = 0
  const append = (name: string, value: Value): void => {
    const timeNs = NOW_NS + BigInt(count)
    const row = new Map<string, Value>([
      ['_time', new Instant(timeNs)],
      ['level', 'info'],
      [name, value],
    ])
    at.telemetry.append('logs', [{ timeNs, sequence: count++, row }])
    at.telemetry.knowledge()
  }
  const unusual = (place: Place['kind'], work: (text: string) => void): Template => ({
    ...template('ingest', place, work),
    make: async (text) => {
      const told = await sqlToldDuring(() => work(text))
      return { kind: 'sql', text: told.filter((sql) => !usual.has(sql)).join('\n;\n') }
    },
  })
  return async (random) => {
    if (count > QUESTIONS_PER_DATABASE) {
      at.connection.close()
      at = await ingestDatabase()
      count = 0
    }
    const place = random.pick(['workload', 'content', 'undeclared'])
    return [
      unusual('value', (text) => append(place, text)),
      unusual('name', (text) => append(text, 'x')),
      unusual('name', (text) => {
        const labels = Labels.of({ __name__: 'up', [text]: text })
        at.samples.append([{ labels, timeMs: count++, value: 1 }])
      }),
    ]
  }
}
