/**
 * The 33 questions on ClickHouse in a process of its own. For each it reports whether the whole plan is one statement,
 * and compares the processor time with that of an expert's statement in turns, to the last byte of the answer; wall
 * time would depend on other work of the machine. `--check` gives exit code 1 when fewer than 30 are one statement, the
 * median ratio is above 1.05 or one is above 1.5. Needs `npm install --no-save --prefix test/clickhouse`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Instant } from '../../src/data/index.ts'
import { scanSettings } from '../../src/backends/sql/engines/clickhouse.ts'
import { startClickHouse } from '../../test/clickhouse/index.ts'
import { openTables } from '../../test/clickhouse/tables.ts'
import { fillSql } from '../peers/peer.ts'
import { firstDifference, normalizeRows } from '../peers/normalize.ts'
import { questions } from '../questions.ts'
import { bind, dataFile } from '../run.ts'
import { byHand, loadRowsSql } from '../peers/clickhouse-by-hand.ts'
import { readRows } from '../../src/engine/index.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '9' },
    sql: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const folder = join(import.meta.dirname, '../../grammar/catalogs')
const options = { rows: Number(values.rows), seed: Number(values.seed) }

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

const server = await startClickHouse()
const settings = { use_query_condition_cache: '0', max_threads: '2', session_timezone: 'UTC' }

/** Returns milliseconds of processor time to the last byte. */
async function timed(sql: string, parameters: Readonly<Record<string, string>>): Promise<number> {
  const start = await server.cpuMicros()
  const response = await fetch(`${server.url}/`, {
    method: 'POST',
    body: formOf({ ...settings, ...parameters, query: `${sql}\nFORMAT RowBinary` }),
    headers: { 'X-ClickHouse-User': server.username, 'X-ClickHouse-Key': server.password },
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`the statement failed: ${sql}`)
  return ((await server.cpuMicros()) - start) / 1000
}

function formOf(members: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) form.append(name, value)
  return form
}

async function load(): Promise<void> {
  const ddl = readFileSync(join(folder, 'clickhouse-logs.sql'), 'utf8').replaceAll(/^\s*--.*\n/gmu, '')
  await server.run('CREATE DATABASE IF NOT EXISTS sluice_bench')
  await server.run(ddl.replace('logs', 'sluice_bench.logs'))
  const file = await dataFile(options)
  await server.run(loadRowsSql('sluice_bench.logs', file))
  await server.run('OPTIMIZE TABLE sluice_bench.logs FINAL')
  const sizes = `round(sum(column_data_uncompressed_bytes) / sum(column_data_compressed_bytes), 1)`
  const ratio = await server.run(
    `SELECT ${sizes}, ${sizes.replaceAll('_bytes)', `_bytes * (column = 'content'))`)} FROM system.parts_columns WHERE database = 'sluice_bench' AND active`,
  )
  print(`on disk: rows ${ratio.trim().replace('\t', ' to 1, texts ')} to 1`)
}

const ratios: number[] = []
let whole = 0
try {
  await load()
  const catalog = readFileSync(join(folder, 'clickhouse-logs.yaml'), 'utf8')
  const tables = await openTables(server, catalog, 'sluice_bench')
  print(`${'id'.padEnd(5)}${'ours'.padStart(10)}${'by hand'.padStart(10)}${'ratio'.padStart(8)}  answer`)
  for (const question of questions) {
    if (values.only !== '' && !values.only.split(',').includes(question.id)) continue
    const bound = bind(question, options)
    const text = fillSql(question.query, bound)
    const range = question.range === undefined ? {} : { range: { startNs: bound.fromNs, endNs: bound.toNs } }
    const query = tables.engine.query(text, { table: 'logs', ...range })
    const acceptance = tables.backend.accept(query.plan)
    if (acceptance.kind === 'not') {
      print(`${question.id.padEnd(5)}${''.padStart(28)}  above: ${acceptance.reason}`)
      continue
    }
    whole++
    const { sql, parameters } = tables.backend.compile(query.plan)
    const named = Object.fromEntries(
      parameters.map((parameter) => [
        `param_${parameter.name}`,
        parameter.kind === 'value' ? escaped(parameter.value) : '',
      ]),
    )
    const hand = fillSql(byHand[question.id] ?? '', bound).replaceAll('FROM logs', 'FROM sluice_bench.logs')
    if (values.sql) print(`${sql}\n-- by hand\n${hand}`)
    const ours = sql.replaceAll(/FROM (?:sluice_bench\.)?logs/gu, 'FROM sluice_bench.logs')
    const times: { ours: number[]; hand: number[] } = { ours: [], hand: [] }
    for (let i = 0; i < Number(values.times); i++) {
      times.ours.push(await timed(ours, { ...named, ...scanSettings(ours) }))
      times.hand.push(await timed(hand, {}))
    }
    const [own, other] = [median(times.ours), median(times.hand)]
    const ratio = own / other
    ratios.push(ratio)
    const expected = (await server.run(`${hand} FORMAT JSONEachRow`, { output_format_json_quote_64bit_integers: '1' }))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ attributes = {}, ...row }) => ({ ...(attributes as Record<string, unknown>), ...row }))
    const given: Record<string, unknown>[] = []
    for await (const row of readRows(query.batches())) {
      given.push(Object.fromEntries([...row].map(([name, value]) => [name, nsOf(value)])))
    }
    const difference = firstDifference(normalizeRows(given), normalizeRows(expected))
    print(
      `${question.id.padEnd(5)}${own.toFixed(1).padStart(10)}${other.toFixed(1).padStart(10)}${ratio.toFixed(2).padStart(8)}  ${difference ?? 'equal'}`,
    )
  }
  await tables.close()
} finally {
  await server.run('DROP DATABASE sluice_bench')
  await server.stop()
}

function nsOf(value: unknown): unknown {
  return value instanceof Instant ? String(value.ns) : value
}

/** Writes a value as a query parameter of ClickHouse's HTTP interface. */
function escaped(value: string | number | bigint | Uint8Array | null): string {
  if (value === null || value instanceof Uint8Array) return '\\N'
  if (typeof value !== 'string') return String(value)
  return value.replaceAll(/[\\\t\n\r']/gu, (char) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[char] ?? `\\${char}`)
}

const worst = Math.max(...ratios)
print(`whole plans: ${whole}; ratio: median ${median(ratios).toFixed(2)}, worst ${worst.toFixed(2)}`)
if (values.check && (whole < 30 || median(ratios) > 1.05 || worst > 1.5)) process.exitCode = 1
