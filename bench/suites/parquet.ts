/**
 * Everyday questions over a folder of Parquet files: `sluice query` compared with DuckDB and a statement by an expert,
 * both as whole processes: `npm run bench -- parquet [--rows N] [--runs N] [--only p01,p02]`. DuckDB's own command line
 * is used when it is installed; otherwise a short script over its package, which prints JSON lines as Sluice does. Both
 * take turns. The minimum processor time of the process and all its threads counts, as `bash` reports it.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { packagedCli } from '../../test/harness/packaged.ts'
import { dataFile } from '../run.ts'
import { duckdbFile } from './foreign/duckdb.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
})

interface Everyday {
  readonly id: string
  readonly query: string
  /** `$files` stands for the paths of the files. */
  readonly sql: string
}

const NEWEST = 'ORDER BY t DESC LIMIT 100'

const everyday: readonly Everyday[] = [
  { id: 'p01', query: '* | stats count() as n', sql: 'SELECT count(*) AS n FROM $files' },
  {
    id: 'p02',
    query: '* | stats by (level) count() as n',
    sql: 'SELECT level, count(*) AS n FROM $files GROUP BY level ORDER BY level',
  },
  {
    id: 'p03',
    query: 'level:error namespace:payments | stats count() as n',
    sql: "SELECT count(*) AS n FROM $files WHERE lower(level) = 'error' AND lower(namespace) = 'payments'",
  },
  {
    id: 'p04',
    query: 'zyxquartz | sort by (_time desc) | limit 100',
    sql: String.raw`SELECT * FROM $files WHERE regexp_matches(content, '(?i)\bzyxquartz\b') ${NEWEST}`,
  },
  {
    id: 'p05',
    query: 'connection refused | stats count() as n',
    sql: String.raw`SELECT count(*) AS n FROM $files WHERE regexp_matches(content, '(?i)\bconnection\b') AND regexp_matches(content, '(?i)\brefused\b')`,
  },
  {
    id: 'p06',
    query: 'level:error | sort by (_time desc) | limit 100',
    sql: `SELECT * FROM $files WHERE lower(level) = 'error' ${NEWEST}`,
  },
  {
    id: 'p07',
    query: '* | stats by (workload) count() as n | sort by (n desc) | limit 10',
    sql: 'SELECT workload, count(*) AS n FROM $files GROUP BY workload ORDER BY n DESC, workload LIMIT 10',
  },
  {
    id: 'p08',
    query: '* | stats by (workload) avg(duration_ms) as a, quantile(0.99, duration_ms) as p99',
    sql: 'SELECT workload, avg(duration_ms) AS a, quantile_disc(duration_ms, 0.99) AS p99 FROM $files GROUP BY workload ORDER BY workload',
  },
  {
    id: 'p09',
    query: 'timeout | stats by (_time:1m) count() as n',
    sql: String.raw`SELECT time_bucket(INTERVAL '1 minute', t) AS m, count(*) AS n FROM $files WHERE regexp_matches(content, '(?i)\btimeout\b') GROUP BY 1 ORDER BY 1`,
  },
  {
    id: 'p10',
    query: 'duration_ms:>500 status:>=500 | stats count() as n',
    sql: 'SELECT count(*) AS n FROM $files WHERE duration_ms > 500 AND status >= 500',
  },
]

/** Writes a Parquet file for each four hours, as a log writer would. */
async function parquetFiles(folder: string, file: string): Promise<void> {
  if (existsSync(join(folder, 'done'))) return
  mkdirSync(folder, { recursive: true })
  const instance = await DuckDBInstance.create(await duckdbFile(file), { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  const parts = 6
  for (let part = 0; part < parts; part++) {
    await connection.run(
      `COPY (SELECT make_timestamp_ns(t) AS t, * EXCLUDE (t, seq) REPLACE (level::VARCHAR AS level, workload::VARCHAR AS workload,
        namespace::VARCHAR AS namespace, env::VARCHAR AS env, cluster::VARCHAR AS cluster, pod::VARCHAR AS pod)
      FROM logs WHERE seq % ${parts} = ${part} ORDER BY seq) TO '${join(folder, `${part}.parquet`)}' (FORMAT parquet)`,
    )
  }
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(folder, 'done'), '')
}

const STAND_IN = `import { DuckDBInstance } from '@duckdb/node-api'
const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
const reader = await connection.runAndReadAll(process.argv[2])
process.stdout.write(reader.getRowObjectsJson().map((row) => JSON.stringify(row) + '\\n').join(''))
`

function hasDuckdb(): boolean {
  try {
    execFileSync('duckdb', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const root = resolve(import.meta.dirname, '../..')
const rows = Number(values.rows)
const data = await dataFile({ rows })
const files = join(tmpdir(), 'sluice-bench', `parquet-${rows}`)
await parquetFiles(files, data)
const folder = mkdtempSync(join(root, 'node_modules', '.bench-parquet-'))

interface Ran {
  readonly lines: number
  readonly ms: number
}

function run(program: string, ...args: readonly string[]): Ran {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" 2>/dev/null'
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28, cwd: folder } as const
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', program, ...args], options)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
  const seconds = stderr.trim().split(' ').map(Number)
  return { lines: stdout.split('\n').length - 1, ms: seconds.reduce((sum, each) => sum + each, 0) * 1000 }
}

try {
  const cli = packagedCli(folder)
  const standIn = join(folder, 'stand-in.mjs')
  writeFileSync(standIn, STAND_IN)
  const isInstalled = hasDuckdb()
  console.log(isInstalled ? 'by hand: the `duckdb` of this machine' : 'by hand: a script over @duckdb/node-api')
  const glob = join(files, '*.parquet')
  const only = values.only === '' ? undefined : values.only.split(',')
  let beyond = 0
  for (const { id, query, sql } of everyday.filter((each) => only?.includes(each.id) !== false)) {
    // The script prints 64-bit integers as texts, so only the number of rows is compared.
    const statement = sql.replace('$files', `'${glob}'`)
    const ways = [
      () => run(process.execPath, cli, 'query', query, glob, '--quiet'),
      () => (isInstalled ? run('duckdb', '-jsonlines', '-c', statement) : run(process.execPath, standIn, statement)),
    ]
    const least = [Infinity, Infinity]
    const lines = [0, 0]
    for (let i = 0; i < Number(values.runs); i++) {
      for (const [way, work] of ways.entries()) {
        const ran = work()
        least[way] = Math.min(least[way] ?? Infinity, ran.ms)
        lines[way] = ran.lines
      }
    }
    const [ours = NaN, byHand = NaN] = least
    const goalMs = byHand * 1.2 + 150
    if (ours > goalMs) beyond++
    const odd = lines[0] === lines[1] ? '' : `  ROWS DIFFER: ${lines[0]} and ${lines[1]}`
    console.log(
      `${id}  sluice ${ours.toFixed(0)} ms  by hand ${byHand.toFixed(0)} ms  goal ${goalMs.toFixed(0)} ms${ours > goalMs ? '  BEYOND' : ''}${odd}`,
    )
  }
  console.log(`${beyond} beyond 1.2 times + 150 ms`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
