import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { jsonLineChunks, markerWord } from '../datasets.ts'
import { packagedCli } from '../../test/harness/packaged.ts'

/**
 * Times one-off queries over a file of JSON lines against DuckDB's `read_json` on two threads:
 * `npm run bench -- files [--rows N] [--runs N] [--file FILE] [--only WORD]`. Both are processes of their own that start cold
 * and write their rows as text; the runs of a query take turns, and the smallest time of each counts. Answers are compared first.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '5' },
    file: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})

interface Question {
  readonly name: string
  readonly ours: string
  /** With `$F` for the file as a table. */
  readonly sql: string
}

const all = '_time, level, workload, namespace, env, cluster, pod, trace_id, status, duration_ms, content'

const questions: readonly Question[] = [
  {
    name: 'a rare word',
    ours: markerWord,
    sql: String.raw`SELECT ${all} FROM $F WHERE regexp_matches(content, '\b${markerWord}\b') ORDER BY _time DESC`,
  },
  {
    name: 'field and field, newest 20',
    ours: 'level:error workload:="checkout-api" | limit 20',
    sql: `SELECT ${all} FROM $F WHERE level = 'error' AND workload = 'checkout-api' ORDER BY _time DESC LIMIT 20`,
  },
  {
    name: 'count by field',
    ours: '* | stats by (level) count() n | sort by (level)',
    sql: 'SELECT level, count(*) n FROM $F GROUP BY level ORDER BY level',
  },
  {
    name: 'an hour, count and maximum',
    ours: '_time:[2026-03-17T10:00:00Z, 2026-03-17T11:00:00Z) | stats count() n, max(duration_ms) m',
    sql: "SELECT count(*) n, max(duration_ms) m FROM $F WHERE _time >= '2026-03-17T10:00:00' AND _time < '2026-03-17T11:00:00'",
  },
  {
    name: 'maximum and p99 by workload',
    ours: '* | stats by (workload) max(duration_ms) m, quantile(0.99, duration_ms) p | sort by (workload)',
    // The tiny surplus makes the discrete quantile the value at floor(phi * n).
    sql: 'SELECT workload, max(duration_ms) m, quantile_disc(duration_ms, 0.990000000001) p FROM $F GROUP BY workload ORDER BY workload',
  },
  {
    name: 'slowest 10, whole rows',
    ours: '* | sort by (duration_ms desc) | limit 10',
    sql: `SELECT ${all} FROM $F ORDER BY duration_ms DESC LIMIT 10`,
  },
]

/** As it comes, and told the columns, which saves DuckDB the sampling of the file. */
const readers: Readonly<Record<string, string>> = {
  read_json: "read_json('$P', format = 'newline_delimited')",
  'with columns': `read_json('$P', format = 'newline_delimited', columns = {${all
    .split(', ')
    .map((name) => `${name}: '${name === 'status' ? 'INTEGER' : name === 'duration_ms' ? 'DOUBLE' : 'VARCHAR'}'`)
    .join(', ')}})`,
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-files-'))

const duckdb = join(folder, 'duckdb.mjs')
writeFileSync(
  duckdb,
  `import { DuckDBInstance } from ${JSON.stringify(import.meta.resolve('@duckdb/node-api'))}
const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
const connection = await instance.connect()
const reader = await connection.runAndReadAll(process.argv[2])
process.stdout.write(reader.getRowObjectsJson().map((row) => JSON.stringify(row) + '\\n').join(''))
`,
)

function run(script: string, args: readonly string[]): { readonly ms: number; readonly output: string } {
  const startMs = performance.now()
  const output = execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
  return { ms: performance.now() - startMs, output }
}

/** Rows of an answer in its order, as texts; numbers by value and times without the ends that differ. */
function rowsOf(output: string): readonly string[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>
      return Object.keys(row)
        .sort()
        .map((name) => {
          const text = String(row[name])
          return `${name}=${name === '_time' ? text.replace('T', ' ').replace('Z', '') : text}`
        })
        .join(' ')
    })
}

async function main(): Promise<void> {
  let file = values.file
  if (file === undefined) {
    file = join(folder, 'lines.ndjson')
    const out = createWriteStream(file)
    for (const chunk of jsonLineChunks({ rows: Number(values.rows), seed: 1 }))
      if (!out.write(chunk)) await once(out, 'drain')
    out.end()
    await once(out, 'finish')
  }
  const cli = packagedCli(folder)
  process.stdout.write(`${(statSync(file).size / 1e6).toFixed(0)} MB\n`)
  const names = Object.keys(readers)
  process.stdout.write(
    `${['question'.padEnd(30), 'sluice'.padStart(9), ...names.map((name) => name.padStart(22))].join('')}\n`,
  )
  const logs = names.map(() => 0)
  const chosen = questions.filter((question) => question.name.includes(values.only))
  for (const { name, ours, sql } of chosen) {
    let own = Infinity
    const others = names.map(() => Infinity)
    for (let i = 0; i < Number(values.runs); i++) {
      const answer = run(cli, ['query', ours, file, '--format', 'ndjson', '--quiet'])
      own = Math.min(own, answer.ms)
      const rows = rowsOf(answer.output)
      for (const [k, reader] of Object.values(readers).entries()) {
        const other = run(duckdb, [sql.replace('$F', reader.replace('$P', file))])
        others[k] = Math.min(others[k], other.ms)
        if (rows.length === 0 || rows.join('\n') !== rowsOf(other.output).join('\n')) {
          throw new Error(`${name}: answers differ\n${rows[0]}\n${rowsOf(other.output)[0]}`)
        }
      }
    }
    others.forEach((ms, k) => {
      logs[k] += Math.log(own / ms)
    })
    const figures = others.map((ms) => `${ms.toFixed(0)} ms ${(own / ms).toFixed(2)}x`.padStart(22))
    process.stdout.write(`${name.padEnd(30)}${`${own.toFixed(0)} ms`.padStart(9)}${figures.join('')}\n`)
  }
  const means = logs.map((sum) => `${Math.exp(sum / chosen.length).toFixed(2)}x`.padStart(22))
  process.stdout.write(`${'geometric mean'.padEnd(39)}${means.join('')}\n`)
}

try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
