import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import chromium from '@sparticuz/chromium'
import { chromium as driver, type Browser, type Page } from 'playwright-core'
import { createServer } from '../../src/server/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { buildConsole, sizesOfConsole } from '../../tools/console.ts'
import { dayStartNs, daySeconds } from '../datasets.ts'
import { generatedLines } from '../generated-lines.ts'

/**
 * Times the console in a headless browser: first paint, a list of a million rows, long lines, diagnostics, files that
 * are read in the page, and the sizes of its files: `npm run bench -- console [--rows N]`. Times are of the page itself,
 * in ms; the browser draws without a graphics processor.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    mb: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})

const KEY = 'key-of-the-bench-of-the-console-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-console-'))
const built = join(folder, 'console')

function say(what: string, measured: string): void {
  console.log(`${what.padEnd(62)} ${measured}`)
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

function sizes(): void {
  const { firstRows, engine, language, withoutEngine } = sizesOfConsole(built)
  const kB = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`
  say('critical path, gzip', kB(firstRows))
  say('engine with the language, gzip', kB(engine))
  say('language of the editor, gzip', kB(language))
  say('all but the engine, gzip', kB(withoutEngine))
}

/** Long tasks of the main thread since the last call, in ms. */
async function longTasks(page: Page): Promise<string> {
  const found = await page.evaluate<readonly number[]>('bench.longTasks()')
  return found.length === 0 ? 'none' : found.map((duration) => ms(duration)).join(', ')
}

async function openPage(browser: Browser, origin: string, isSignedIn: boolean): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  if (isSignedIn)
    await context.request.post(`${origin}/api/session`, {
      headers: { Authorization: `Bearer ${KEY}`, 'X-Sluice-Console': '1' },
      data: {},
    })
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, 'console/page.js') })
  return page
}

const first = '.rows .row:not(.header) .cell.message:not(.faint)'
const now = (page: Page): Promise<number> => page.evaluate('performance.now()')

/** The view of a range, with other parameters. */
function viewOf(params: Readonly<Record<string, string>>): string {
  return `#/logs?${new URLSearchParams(params).toString()}`
}

async function cold(browser: Browser, origin: string, range: Readonly<Record<string, string>>): Promise<void> {
  const page = await openPage(browser, origin, true)
  await page.goto(`${origin}/${viewOf(range)}`)
  await page.locator(first).first().waitFor()
  const usable = await now(page)
  say('first paint, cold', ms(await page.evaluate<number>('bench.firstPaint()')))
  say('rows are there, cold', ms(usable))
  say('tasks of the main thread above 50 ms until then', await longTasks(page))
  await page.context().close()
}

async function scrolling(browser: Browser, origin: string, range: Readonly<Record<string, string>>): Promise<void> {
  const page = await openPage(browser, origin, true)
  await page.goto(`${origin}/${viewOf(range)}`)
  await page.locator('.histogram rect').first().waitFor()
  await longTasks(page)
  const start = await now(page)
  await page.goto(`${origin}/${viewOf({ ...range, rows: '1000000' })}`)
  await page.locator('.status', { hasText: '1,000,000 rows in' }).waitFor()
  const rows = await now(page)
  await page.locator('.histogram rect').first().waitFor()
  say('a million rows are read', ms(rows - start))
  say('the histogram beside them, after that', ms((await now(page)) - rows))
  say('tasks above 50 ms meanwhile', await longTasks(page))
  const work = (await page.evaluate<number[]>('bench.scrollWork()')).toSorted((a, b) => a - b)
  say('work per frame, top to bottom, median and p99', `${ms(percentile(work, 0.5))}, ${ms(percentile(work, 0.99))}`)
  say('tasks above 50 ms meanwhile', await longTasks(page))
  say('heap of the page', `${((await page.evaluate<number>('bench.heapBytes()')) / 2 ** 20).toFixed(0)} MiB`)
  await page.context().close()
}

/** Spans of the large trace: as many as the page shows of one. */
const SPANS = 100_000

/** Yields the spans of one trace as JSON lines: each one has four children within its own time. */
function* traceLines(startMs: number): Generator<Uint8Array> {
  const PART = 10_000
  const windows: (readonly [start: number, length: number])[] = [[0, 60_000]]
  const encoder = new TextEncoder()
  for (let from = 0; from < SPANS; from += PART) {
    const lines: string[] = []
    for (let i = from; i < Math.min(SPANS, from + PART); i++) {
      const parent = (i - 1) >> 2
      const [start, length] = windows[Math.max(0, parent)] ?? [0, 1]
      const own = i === 0 ? ([0, 60_000] as const) : ([start + (length * ((i - 1) % 4)) / 4, length / 5] as const)
      windows[i] = own
      lines.push(
        JSON.stringify({
          time: new Date(startMs + own[0]).toISOString(),
          trace_id: 'large',
          span_id: `span-${i}`,
          ...(i === 0 ? {} : { parent_span_id: `span-${parent}` }),
          span_name: `GET /api/items/${i % 900}`,
          workload: `service-${i % 12}`,
          status: i % 997 === 5 ? 'error' : 'ok',
          duration_seconds: own[1] / 1000,
        }),
      )
    }
    yield encoder.encode(`${lines.join('\n')}\n`)
  }
}

async function tracing(browser: Browser, origin: string, range: Readonly<Record<string, string>>): Promise<void> {
  const page = await openPage(browser, origin, true)
  await page.goto(`${origin}/${viewOf(range)}`)
  await page.locator(first).first().waitFor()
  await longTasks(page)
  const start = await now(page)
  const params = new URLSearchParams({ ...range, trace: 'large' })
  await page.evaluate(`location.hash = ${JSON.stringify(`#/traces?${params.toString()}`)}`)
  await page.locator('.row.span .service').first().waitFor()
  say('a trace of 100,000 spans opens', ms((await now(page)) - start))
  say('tasks above 50 ms meanwhile', await longTasks(page))
  const work = (await page.evaluate<number[]>('bench.scrollWork()')).toSorted((a, b) => a - b)
  say('work per frame, top to bottom, median and p99', `${ms(percentile(work, 0.5))}, ${ms(percentile(work, 0.99))}`)
  say('tasks above 50 ms meanwhile', await longTasks(page))
  await page.context().close()
}

/** Words of the query that is checked at each key press: some 2,000 characters. */
const WORDS = 150
const KEY_PRESSES = 200

async function typing(browser: Browser, origin: string): Promise<void> {
  const page = await openPage(browser, origin, true)
  const words = Array.from({ length: WORDS }, (_, i) => `or word${i}`).join(' ')
  const query = `level:error ${words} | stats by (workload) count() n | sort by (n desc)`
  await page.goto(`${origin}/${viewOf({ q: query })}`)
  await page.locator('.query-editor .cm-content').click()
  await page.keyboard.press('Control+End')
  const press = async (): Promise<number> => {
    await page.evaluate('bench.watchKey()')
    await page.keyboard.press(')')
    const took = await page.evaluate<number>('bench.found')
    await page.keyboard.press('Backspace')
    while (await page.evaluate('bench.hasError()')) await setTimeout(5)
    return took
  }
  const starting = await press()
  const times: number[] = []
  for (let i = 0; i < KEY_PRESSES; i++) times.push(await press())
  const sorted = times.toSorted((a, b) => a - b)
  const measured = `${ms(percentile(sorted, 0.5))}, ${ms(percentile(sorted, 0.99))}`
  say('the first key press to its diagnostic, while the language starts', ms(starting))
  say(`key press to diagnostic, ${query.length} characters, median and p99`, measured)
  await page.context().close()
}

async function reading(browser: Browser, origin: string, name: string, path: string): Promise<void> {
  const page = await openPage(browser, origin, false)
  await page.goto(`${origin}/?files`)
  await page.locator('.drop-zone').waitFor()
  await longTasks(page)
  const start = await now(page)
  await page.setInputFiles('.drop-zone input[type=file]', path)
  await page.locator(first).first().waitFor()
  say(`${name}: first rows`, ms((await now(page)) - start))
  await page.locator('progress').waitFor({ state: 'detached' })
  say(`${name}: read`, ms((await now(page)) - start))
  say(`${name}: tasks above 50 ms`, await longTasks(page))
  await page.locator(first).first().click()
  const opened = await now(page)
  await page.locator('.detail .field').first().waitFor()
  say(`${name}: a row opens`, ms((await now(page)) - opened))
  say(`${name}: tasks above 50 ms`, await longTasks(page))
  await page.context().close()
}

function writeHostile(path: string): void {
  const time = (i: number): string => new Date(1_772_000_000_000 + i).toISOString()
  const wide = Object.fromEntries(Array.from({ length: 4090 }, (_, i) => [`f${i}`, `value ${i}`]))
  const lines = [
    JSON.stringify({ time: time(0), msg: 'x'.repeat(7_000_000) }),
    JSON.stringify({ time: time(1), msg: 'wide', ...wide }),
    ...Array.from({ length: 1000 }, (_, i) =>
      JSON.stringify({ time: time(2 + i), msg: `line ${i} ${'lorem ipsum '.repeat(17_000)}` }),
    ),
    JSON.stringify({ time: time(2000), msg: 'y'.repeat(15_000_000) }),
  ]
  writeFileSync(path, lines.join('\n'))
}

/** Length of a generated line in bytes, on average. */
const LINE_BYTES = 390

async function writeRows(path: string, megabytes: number): Promise<void> {
  const pieces: Buffer[] = []
  const rows = Math.round((megabytes * 1e6) / LINE_BYTES)
  for await (const lines of generatedLines(String(rows), values.seed)) pieces.push(lines)
  writeFileSync(path, Buffer.concat(pieces))
}

await buildConsole(built)
sizes()
const store = createMemoryStore(standardCatalog)
for await (const lines of generatedLines(values.rows, values.seed))
  store.table('logs').writer.appendJsonLines(lines, { nowNs: 0n })
store.table('logs').seal()
for (const lines of traceLines(Number(dayStartNs / 1_000_000n)))
  store.table('spans').writer.appendJsonLines(lines, { nowNs: 0n })
store.table('spans').seal()
const server = await createServer({ keys: [KEY], store, console: built, workers: 1 })
const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
const origin = `http://127.0.0.1:${port}`
const range = {
  from: new Date(Number(dayStartNs / 1_000_000n)).toISOString(),
  to: new Date(Number(dayStartNs / 1_000_000n) + daySeconds * 1000).toISOString(),
}
// The page is cold, but not the server: its worker compiles the sources with the first query.
const warm = await fetch(`${origin}/api/logs/v2/search`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: '* | limit 1', start: range.from, end: range.to }),
})
if (!warm.ok) throw new Error(await warm.text())
const browser = await driver.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--enable-precise-memory-info'],
})
try {
  await cold(browser, origin, range)
  await scrolling(browser, origin, range)
  await tracing(browser, origin, range)
  await typing(browser, origin)
  const hostile = join(folder, 'hostile.ndjson')
  writeHostile(hostile)
  await reading(browser, origin, 'lines of 7 and 15 MB, a row of 4,096 fields, 1,000 rows of 200 KB', hostile)
  const rows = join(folder, 'rows.ndjson')
  await writeRows(rows, Number(values.mb))
  await reading(browser, origin, `${values.mb} MB of JSON lines`, rows)
} finally {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
