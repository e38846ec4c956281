import { existsSync, rmSync } from 'node:fs'
import { storedRows, traceId, dayStartNs, jsonLineChunks } from '/work/main/bench/datasets.ts'
import { questions } from '/work/main/bench/questions.ts'
import { sqliteByHandPeer } from '/work/main/bench/peers/sqlite-by-hand.ts'
import { normalizeRows, firstDifference } from '/work/main/bench/peers/normalize.ts'
import { fillSql } from '/work/main/bench/peers/peer.ts'
import { planOf } from '/work/main/test/backends/sql/questions.ts'
import { openSqlite, sqliteTelemetry } from '/work/main/src/store/sqlite/index.ts'
import { sqliteBackend } from '/work/main/src/backends/sql/index.ts'
import { standardCatalog } from '/work/main/src/store/index.ts'
import { standardFunctions } from '/work/main/src/functions/index.ts'
import { Budget } from '/work/main/src/base/index.ts'
import { rowsOf, Instant } from '/work/main/src/data/index.ts'
import { createWriteStream } from 'node:fs'
const N = Number(process.argv[2] ?? 200000)
const only = process.argv[3]?.split(',')
const mode = (process.argv[4] ?? 'in-process') as any
const show = process.argv.includes('--sql')
const file = `/tmp/s/bench-${N}.ndjson`
if (!existsSync(file)) { const out = createWriteStream(file); for (const c of jsonLineChunks({rows:N,seed:1})) out.write(c); out.end(); await new Promise(r=>out.on('finish',r)) }
const db = `/tmp/s/bench-${N}.db`
const fresh = process.argv.includes('--load') || !existsSync(db)
if (fresh) for (const s of ['', '-wal', '-shm']) rmSync(db + s, { force: true })
const conn = await openSqlite(db, { durability: 'normal', cacheBytes: 512<<20, mappedBytes: 2**31 })
const t = sqliteTelemetry(conn, standardCatalog)
if (fresh) { const s = performance.now(); t.load('logs', storedRows({ rows: N, seed: 1 })); console.log('load', ((performance.now()-s)/1000).toFixed(1),'s') }
const hand = sqliteByHandPeer(file)
console.log('hand load', await hand.load())
const backend = sqliteBackend(t, standardFunctions, { mode })
const clock = (c: string) => { const [h,m] = c.split(':').map(Number); return dayStartNs + BigInt(h*3600+m*60)*1000000000n }
function median(a: number[]) { return a.sort((x,y)=>x-y)[a.length>>1] }
for (const q of questions) {
  if (only && only[0] !== 'all' && !only.includes(q.id)) continue
  const asked = { question: q, page: Math.floor(N/100), trace: traceId(1, 17), fromNs: clock(q.range?.[0] ?? '00:00'), toNs: clock(q.range?.[1] ?? '24:00') }
  const plan = planOf(fillSql(q.query, asked), q.range ? { startNs: asked.fromNs, endNs: asked.toNs } : undefined)
  const acc = backend.accept(plan)
  if (acc.kind === 'not') { console.log(q.id, 'NOT', acc.reason); continue }
  const run = async () => { 
    const ctx = { budget: new Budget({memoryBytes: 1<<30, timeoutMs: 600000, scanRows: Infinity}, () => performance.now()), nowNs: 0n, range: {startNs: asked.fromNs, endNs: asked.toNs}, batchRows: 1000 }
    const rows: any[] = []
    for await (const b of backend.prepare(plan, ctx).run()) for (const r of rowsOf(b)) rows.push(r)
    return rows }
  const st = backend.compile(plan)
  if (show) { console.log(st.sql); console.log(backend.prepare(plan, {budget: new Budget({memoryBytes: 1<<30, timeoutMs: 600000, scanRows: Infinity}, () => performance.now()), nowNs:0n, range:{startNs:0n,endNs:1n}, batchRows:1000}).explain().notes.slice(1).join('\n')) }
  const mine = await run()
  const h = await hand.prepare(asked)
  const theirs = await h()
  const conv = (r: any) => Object.fromEntries([...r].map(([k,v]: any) => [k, v instanceof Instant ? v.ns : v]))
  let diff: any
  try { diff = firstDifference(normalizeRows(theirs), normalizeRows(mine.map(conv))) } catch (e) { diff = String(e) }
  const times = [[],[]] as number[][]
  const until = performance.now() + 600
  do { let s = performance.now(); await run(); times[0].push(performance.now()-s); s = performance.now(); await h(); times[1].push(performance.now()-s) } while (performance.now() < until)
  const a = median(times[0]), b = median(times[1])
  const host = /sluice_/.test(st.sql) ? 'HOST' : ''
  console.log(q.id.padEnd(4), a.toFixed(2).padStart(9), b.toFixed(2).padStart(9), (a/b).toFixed(2).padStart(6), host.padEnd(5), q.title, diff === undefined ? '' : 'DIFF '+String(diff).slice(0,150))
}
await backend.close(); await hand.close(); conn.close()
