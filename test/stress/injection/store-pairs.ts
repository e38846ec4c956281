import { SluiceError, seededRandom, type Random } from '../../../src/base/index.ts'
import { Instant, Labels, type StoredRow, type Value } from '../../../src/data/index.ts'
import { fuzzRows } from '../../../src/fuzz/dataset.ts'
import { escapeRegexp } from '../../../src/lang/json/to-text/to-text-names.ts'
import { lowerPromql, parsePromqlOrThrow } from '../../../src/lang/promql/index.ts'
import { seriesSelects } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import { SqliteSamples, openSqlite, sqliteTelemetry } from '../../../src/store/sqlite/index.ts'
import type { Place } from './places.ts'
import type { Template } from './pairs.ts'
import type { SqlOf } from './sql-of.ts'
import { sqlToldDuring } from './told-sql.ts'

/** Returns templates whose `make` runs a query or a write and returns the statements that the database received. */
export type StoreTemplates = (random: Random) => Promise<readonly Template[]>

/** Number of queries after which an in-memory database that attacks fill is recreated. */
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

/** Quotes a label name, so that it may contain any characters. */
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

async function ingestDatabase() {
  const connection = await openSqlite(':memory:')
  return { connection, telemetry: sqliteTelemetry(connection, standardCatalog), samples: new SqliteSamples(connection) }
}

/** Returns all statements that storing harmless data can cause. Stored data decides which of them occur. */
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
