/**
 * Two limits: how soon a cancelled query stops using the processor, and how long the most complex accepted texts take
 * to plan. `npm run bench -- limits [--rows N]`
 */
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { SluiceError } from '../../src/base/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { jsonLineChunks } from '../datasets.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '300000' } } })
const print = (line: string): void => void process.stdout.write(`${line}\n`)

function loaded(rows: number): Engine {
  const store = createMemoryStore(standardCatalog)
  for (const chunk of jsonLineChunks({ rows, seed: 1 }))
    store.table('logs').writer.appendJsonLines(chunk, { nowNs: 0n })
  store.table('logs').seal()
  return createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Returns the milliseconds from the cancel until the process uses less than 5 ms of processor time in the following 200
 * ms.
 */
async function idleAfterCancel(engine: Engine, text: string): Promise<number> {
  const abort = new AbortController()
  const done = engine
    .query(text, { signal: abort.signal, limits: { memoryBytes: 2 ** 32 } })
    .toArray()
    .then(
      () => 'ended by itself',
      (error: unknown) => (error instanceof SluiceError ? error.code : 'crashed'),
    )
  await sleep(30)
  const cancelledMs = performance.now()
  abort.abort()
  const how = await done
  const answeredMs = performance.now() - cancelledMs
  const before = cpuMs()
  await sleep(200)
  const usedMs = cpuMs() - before
  print(
    `  ${text}: ${how}, answered ${answeredMs.toFixed(1)} ms after the cancel, ${usedMs.toFixed(1)} ms of processor in the next 200 ms`,
  )
  return answeredMs
}

const LIMIT = 64 * 1024

function repeated(unit: (i: number) => string, separator: string, count: number): string {
  return Array.from({ length: count }, (_, i) => unit(i)).join(separator)
}

/** Texts as long and as nested as the limits allow. */
const worstTexts: readonly (readonly [string, string])[] = [
  ['4,000 words', repeated((i) => `w${i}`, ' ', 4000)],
  ['4,000 values of one field', repeated((i) => `level:v${i}`, ' ', 4000)],
  ['4,000 fields', repeated((i) => `f${i}:v`, ' ', 4000)],
  ['alternatives', repeated((i) => `a:x${i} OR b:y${i}`, ' OR ', 2000)],
  ['nested groups', `${'('.repeat(120)}a:1 b:2${' OR c:3)'.repeat(120)}`],
  ['a long list', `level:in(${repeated((i) => `value${i}`, ', ', 4000)})`],
  ['64 pipes', `* | ${repeated((i) => `filter a:${i} b:x${i}`, ' | ', 63)}`],
  ['a long regular expression', `content:~"${'(a|b)'.repeat(200)}"`],
  ['many stars', `content:${'*a'.repeat(500)}*`],
  ['one long word', 'x'.repeat(LIMIT - 10)],
  ['many aggregates', `* | stats ${repeated((i) => `count() if (a:${i}) as n${i}`, ', ', 900)}`],
  ['negations', repeated((i) => `!!!-!a${i}:b`, ' ', 3000)],
]

const refusedTexts: readonly (readonly [string, string])[] = [
  ['too long', 'a '.repeat(LIMIT)],
  ['too deep', `${'('.repeat(5000)}a${')'.repeat(5000)}`],
  ['too many terms', repeated((i) => `w${i}`, ' ', 9000)],
]

const engine = loaded(Number(values.rows))
print('cancel')
const heavy = [
  '* | stats by (trace_id, pod) count() as n, quantile(0.5, duration_ms) as q',
  'content:~"([a-f]+[0-9]*)+x" | stats count() as n',
  '* | sort by (content, trace_id)',
]
let slowestCancelMs = 0
for (const text of heavy) slowestCancelMs = Math.max(slowestCancelMs, await idleAfterCancel(engine, text))

print('planning')
let slowestPlanMs = 0
for (const [name, text] of [...worstTexts, ...refusedTexts]) {
  const times: number[] = []
  let how = 'planned'
  for (let i = 0; i < 3; i++) {
    const start = performance.now()
    try {
      engine.plan(text)
    } catch (error) {
      how = error instanceof SluiceError ? error.code : 'crashed'
    }
    times.push(performance.now() - start)
  }
  const worst = Math.max(...times)
  if (how === 'planned') slowestPlanMs = Math.max(slowestPlanMs, worst)
  print(`  ${name} (${text.length} characters): ${how}, first ${times[0].toFixed(1)} ms, worst ${worst.toFixed(1)} ms`)
}
print(`slowest cancel ${slowestCancelMs.toFixed(1)} ms, slowest accepted plan ${slowestPlanMs.toFixed(1)} ms`)
