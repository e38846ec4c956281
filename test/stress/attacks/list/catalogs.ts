import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { logSearchBody, type Attack, type Caller } from '../attack.ts'
import { csvFolder, parquetFolder, tidy, type CatalogKind } from '../catalogs.ts'

const LOGS = '/api/logs/v2/search'
const EVENTS = '/api/k8s/v2/events/search'
const TRACES = '/api/traces/v2/search'

const everyField = 'content, trace_id, pod, workload, namespace, env, cluster, level, status, duration_ms'

/** Queries that take a database long or need much of its memory. */
const heavy = [
  `* | stats by (${everyField}) count() as n, count_uniq(content) as c`,
  `* | sort by (${everyField})`,
  '* | fields content | join by () (* | fields content) cross | stats count() as n, max(content) as m',
  '* | fields env, content | join by (env) (* | copy content as other | fields env, other) | stats count_uniq(content, other) as n',
  'content:~"(([a-z]+)*[0-9]?)*#$" | stats count() as n',
  Array.from({ length: 60 }, (_, i) => `content:~"([a-z]+${i}|[0-9]+x).*q${i}z+"`).join(' or '),
  '* | stats count_uniq(content) as a, count_uniq(trace_id, pod) as b, uniq_values(content) as c',
  '* | window partition by (level) order by (content) lag(content) as a, row_number() as n',
  '* | stats by (_time:1ms, content) count() as n | sort by (n desc)',
]

/** Heavy queries for tables with fewer fields. */
const heavyOfFew = [
  '* | stats by (content, level, workload, env) count() as n',
  '* | sort by (content, level, workload)',
  '* | fields content | join by () (* | fields content) cross | stats count() as n',
  'content:~"(([a-z]+)*[0-9]?)*#$" | stats count() as n',
  '* | stats count_uniq(content) as a, uniq_values(content) as c',
]

interface Case {
  readonly name: string
  readonly catalog: CatalogKind
  readonly run: Attack['run']
  readonly isOne?: boolean
  readonly isWorst?: boolean
}

const attack = ({ name, ...rest }: Case): Attack => ({ ...rest, name: `catalogs: ${name}` })

const question = (name: string, path: string, query: string, catalog: CatalogKind = 'databases'): Attack =>
  attack({ name, catalog, isOne: true, isWorst: true, run: (caller) => caller.search(path, query) })

/** Keeps `count` requests in flight until the attack is over. */
async function together(caller: Caller, count: number, ask: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async (): Promise<void> => {
    while (!caller.signal.aborted) await ask(next++)
  }
  await Promise.all(Array.from({ length: count }, one))
}

const drawn = (queries: readonly string[], index: number): string => queries[index % queries.length] ?? '*'

/** Queries a table while `disturb` changes its files every 50 ms. Removes the added files afterwards. */
async function asking(caller: Caller, path: string, disturb: (round: number) => void | Promise<void>): Promise<void> {
  try {
    const disturbing = async (): Promise<void> => {
      for (let round = 0; !caller.signal.aborted; round++) {
        await disturb(round)
        await sleep(50)
      }
    }
    await Promise.all([
      disturbing(),
      together(caller, 4, (i) =>
        caller.search(path, drawn(['* | stats by (level) count() as n', '* | sort by (content)'], i)),
      ),
    ])
  } finally {
    tidy(caller.folder)
  }
}

async function onceWith(caller: Caller, path: string, write: () => void): Promise<void> {
  try {
    write()
    await caller.search(path, '* | stats count() as n')
  } finally {
    tidy(caller.folder)
  }
}

const hostileCsv = ({ folder }: Caller): string => join(csvFolder(folder), 'hostile.csv')
const hostileParquet = ({ folder }: Caller): string => join(parquetFolder(folder), 'hostile.parquet')
const parquet = ({ folder }: Caller): string => join(parquetFolder(folder), 'logs.parquet')

export const catalogAttacks: readonly Attack[] = [
  ...heavy.map((query, i) => question(`DuckDB ${i + 1}`, LOGS, query)),
  ...heavyOfFew.map((query, i) => question(`SQLite ${i + 1}`, EVENTS, query)),
  question('10,000 files', TRACES, '* | stats by (content) count() as n'),
  attack({
    name: '60 heavy at once over DuckDB',
    catalog: 'databases',
    isWorst: true,
    run: (caller) => together(caller, 60, (i) => caller.searchLogs(drawn(heavy, i))),
  }),
  attack({
    name: '60 heavy at once over SQLite',
    catalog: 'databases',
    isWorst: true,
    run: (caller) => together(caller, 60, (i) => caller.search(EVENTS, drawn(heavyOfFew, i))),
  }),
  attack({
    name: '60 heavy at once over 10,000 files',
    catalog: 'databases',
    isWorst: true,
    run: (caller) => together(caller, 60, () => caller.search(TRACES, '* | sort by (content)')),
  }),
  attack({
    name: 'cancels in the middle',
    catalog: 'databases',
    run: async (caller) => {
      while (!caller.signal.aborted) {
        const ending = new AbortController()
        const asked = Array.from({ length: 20 }, (_, i) => caller.searchLogs(drawn(heavy, i), ending.signal))
        await sleep(100)
        ending.abort()
        await Promise.all(asked)
      }
    },
  }),
  attack({
    name: '50 clients that never read',
    catalog: 'databases',
    run: async (caller) => {
      const { host, port } = caller.address
      const body = JSON.stringify({ ...JSON.parse(logSearchBody('*')), enableStream: true })
      const head = `POST ${LOGS} HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${caller.key}\r\nAccept: application/x-ndjson\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      for (let i = 0; i < 50; i++) {
        const socket = connect(caller.address)
        socket.on('error', () => undefined)
        caller.signal.addEventListener('abort', () => socket.destroy(), { once: true })
        socket.write(head + body)
        socket.pause()
      }
      if (!caller.signal.aborted) await once(caller.signal, 'abort')
    },
  }),
  attack({
    name: 'files that change',
    catalog: 'files',
    run: (caller) =>
      asking(caller, TRACES, (round) => {
        const next = `${hostileParquet(caller)}.next`
        copyFileSync(parquet(caller), next)
        // Every other version of the file is truncated, and so is not a valid Parquet file.
        if (round % 2 === 1) truncateSync(next, 10_000 + round)
        renameSync(next, hostileParquet(caller))
      }),
  }),
  attack({
    name: 'files that vanish',
    catalog: 'files',
    run: (caller) =>
      asking(caller, TRACES, (round) => {
        if (round % 2 === 0) copyFileSync(parquet(caller), hostileParquet(caller))
        else rmSync(hostileParquet(caller), { force: true })
      }),
  }),
  attack({
    name: 'a damaged Parquet file',
    catalog: 'files',
    run: (caller) =>
      asking(caller, TRACES, (round) => {
        const bytes = Buffer.alloc(100_000, round)
        bytes.write('PAR1')
        bytes.write('PAR1', bytes.length - 4)
        bytes.writeUInt32LE(round % 2 === 0 ? 50_000 : 0xffffffff, bytes.length - 8)
        writeFileSync(hostileParquet(caller), bytes)
      }),
  }),
  attack({
    name: 'a CSV of a million columns',
    catalog: 'files',
    isOne: true,
    isWorst: true,
    run: (caller) =>
      onceWith(caller, EVENTS, () => {
        const names = Array.from({ length: 1_000_000 }, (_, i) => `c${i}`).join(',')
        writeFileSync(hostileCsv(caller), `${names}\n${','.repeat(999_999)}\n`)
      }),
  }),
  attack({
    name: 'a CSV with a line of 100 MB',
    catalog: 'files',
    isOne: true,
    isWorst: true,
    run: (caller) =>
      onceWith(caller, EVENTS, () =>
        writeFileSync(hostileCsv(caller), `_time,content\n2026-03-17,"${'x'.repeat(100_000_000)}"\n`),
      ),
  }),
]
