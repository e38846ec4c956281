// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY, NOW, openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
  await send('spans', oddSpans)
  await send('logs', [
    { time: timeAt(10), level: 'error', service: 'payments', msg: 'deadline exceeded', trace_id: 'odd' },
    { time: timeAt(5), level: 'info', service: 'frontend', msg: 'order received', trace_id: 'odd' },
  ])
})
afterAll(async () => open.close())

function timeAt(ms: number): string {
  return new Date(NOW.getTime() - 60_000 + ms).toISOString()
}

async function send(kind: string, rows: readonly object[]): Promise<void> {
  const response = await fetch(`${open.origin}/api/ingest/${kind}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson' },
    body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  })
  expect(response.status).toBe(200)
}

function span(
  id: string,
  parent: string | undefined,
  startMs: number,
  durationMs: number | undefined,
  more = {},
): object {
  return {
    time: timeAt(startMs),
    trace_id: 'odd',
    span_id: id,
    span_name: `call ${id}`,
    workload: 'api',
    status: 'ok',
    ...(parent === undefined ? {} : { parent_span_id: parent }),
    ...(durationMs === undefined ? {} : { duration_seconds: durationMs / 1000 }),
    ...more,
  }
}

/**
 * Spans of a trace with every kind of fault: an orphan at the top, a cycle, a duplicate id, a skewed clock, and a span
 * without an end.
 */
const oddSpans = [
  span('top', 'missing', 5, 100),
  span('early', 'top', 0, 20),
  span('slow', 'top', 40, 60, { status: 'error', note: 'x'.repeat(5000), events: [{ name: 'timeout', after: 3 }] }),
  span('slow', 'top', 50, 10),
  span('open', 'slow', 45, undefined),
  span('left', 'right', 60, 10),
  span('right', 'left', 61, 10),
]

const params = (hash: string): URLSearchParams => new URLSearchParams(new URL(hash).hash.split('?')[1])

test('the list has traces by their roots, and a link opens one', async () => {
  const { page, troubles, close } = await open.open({ view: '#/traces?q=status:error+workload:frontend' })
  const row = page.locator('table.traces tbody tr').first()
  await row.waitFor()
  expect(await page.locator('.traces .status, .toolbar .status').textContent()).toMatch(/ traces in /)
  await row.getByRole('link').click()
  await page.waitForSelector('.row.span .service')
  expect(params(page.url()).get('trace')).toMatch(/^[0-9a-f]{32}$/)
  expect(await page.locator('.row.span.on-path').count()).toBeGreaterThan(0)
  expect(troubles).toEqual([])
  await close()
})

test('a column sorts the traces', async () => {
  const { page, close } = await open.open({ view: '#/traces?q=status:error' })
  await page.getByRole('button', { name: 'Errors' }).click()
  await page.locator('th[aria-sort=descending]', { hasText: 'Errors' }).waitFor()
  expect(params(page.url()).get('sort')).toBe('errors')
  await close()
})

test('a query that groups spans is refused in words', async () => {
  const { page, close } = await open.open({ view: `#/traces?q=${encodeURIComponent('* | stats count()')}` })
  expect(await page.getByRole('alert').filter({ hasText: 'groups' }).textContent()).toContain('Traces are listed')
  await close()
})

test('a trace with orphans, cycles, same ids and skewed clocks is shown, and says so', async () => {
  const { page, troubles, close } = await open.open({ view: '#/traces?trace=odd' })
  const names = page.locator('.row.span .name')
  await expect
    .poll(() => names.allTextContents())
    .toEqual(['call top', 'call early', 'call slow', 'call open', 'call slow', 'call left', 'call right'])
  await page.getByText('Odd about this trace (6)').click()
  const notices = await page.locator('.advice.odd li').allTextContents()
  expect(notices.map((notice) => notice.split(/[.:]/)[0])).toEqual([
    'No span without a parent is here',
    '1 spans name a parent that is not here',
    '1 cycles of parents are cut at their earliest span',
    '1 spans have the id of an earlier one',
    '2 spans begin before their parent or end after it',
    '1 spans have no duration',
  ])
  await expect
    .poll(() => page.locator('.trace-logs .message').allTextContents())
    .toEqual(['order received', 'deadline exceeded'])
  expect(troubles).toEqual([])
  await close()
})

test('keys select spans, fold and zoom, and the link says it', async () => {
  const { page, close } = await open.open({ view: '#/traces?trace=odd' })
  const rows = page.locator('.row.span')
  await page.waitForSelector('.row.span .name')
  await page.getByRole('treegrid').focus()
  await page.keyboard.press('Home')
  await expect.poll(() => params(page.url()).get('span')).toBe('top')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await rows.first().getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('e')
  await expect.poll(() => params(page.url()).get('span')).toBe('slow')
  await page.keyboard.press('z')
  await expect.poll(() => params(page.url()).get('zoom')).toBe('37-103')
  const { hash } = new URL(page.url())
  await page.keyboard.press('Z')
  await expect.poll(() => params(page.url()).get('zoom')).toBe(null)
  await page.keyboard.press('c')
  await expect.poll(() => params(page.url()).get('depth')).toBe('1')
  await close()
  const again = await open.open({ view: hash })
  await again.page.waitForSelector('.span-detail .field')
  expect(await again.page.locator('.row.span[aria-selected=true] .name').textContent()).toBe('call slow')
  await again.close()
})

test('a selected span shows its attributes and events, and long values in pieces', async () => {
  const { page, close } = await open.open({ view: '#/traces?trace=odd&span=slow' })
  const detail = page.locator('.span-detail')
  await detail.locator('.field').first().waitFor()
  expect(await detail.locator('.events li strong').textContent()).toBe('timeout')
  expect(await detail.locator('.facts dd').allTextContents()).toEqual(['api', '+40 ms', '60 ms', '60 ms'])
  await page.getByRole('button', { name: /^Read on/ }).click()
  await expect.poll(() => detail.getByText('x'.repeat(5000)).count()).toBe(1)
  await close()
})

test('dragging over the bars zooms', async () => {
  const { page, close } = await open.open({ view: '#/traces?trace=odd' })
  await page.waitForSelector('.row.span .name')
  const box = await page.locator('.row.span .track').first().boundingBox()
  if (box === null) throw new Error('there are no bars')
  await page.mouse.move(box.x + box.width / 2, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.77, box.y + 8, { steps: 3 })
  await page.mouse.up()
  // Rounding to tens of milliseconds absorbs the error of one pixel.
  const zoomedTens = (): readonly number[] =>
    (params(page.url()).get('zoom') ?? '').split('-').map((ms) => Math.round(Number(ms) / 10))
  await expect.poll(zoomedTens).toEqual([5, 8])
  await close()
})

test('a trace that is not in the range is said to be missing, and a log leads to its page', async () => {
  const { page, close } = await open.open({ view: '#/traces?trace=nowhere' })
  await page.getByText('No span of this trace is in this range of time.').waitFor()
  await page.goto(`${open.origin}/#/traces?trace=odd`)
  await page.locator('.trace-logs .row').last().click()
  const message = page.locator('.rows .row[aria-selected=true] .message:not(.faint)')
  await message.waitFor()
  expect(params(page.url()).get('q')).toBe('trace_id:="odd" | sort by (_time)')
  expect(await message.textContent()).toBe('deadline exceeded')
  await close()
})

/** Number of spans of the large trace, and number of spans in one request. */
const LARGE = 100_000
const PART = 20_000

test('a trace of 100,000 spans opens, scrolls to its end and folds', { tags: ['slow'], timeout: 60_000 }, async () => {
  for (let from = 0; from < LARGE; from += PART)
    await send(
      'spans',
      Array.from({ length: PART }, (_, i) => {
        const n = from + i
        return span(`s${n}`, n === 0 ? undefined : `s${(n - 1) >> 2}`, n / 10_000, 20, { trace_id: 'large' })
      }),
    )
  const { page, troubles, close } = await open.open({ view: '#/traces?trace=large' })
  await page.waitForSelector('.row.span .name')
  const grid = page.getByRole('treegrid')
  expect(await grid.getAttribute('aria-rowcount')).toBe('100000')
  await grid.focus()
  await page.keyboard.press('End')
  await page.locator('.row.span[aria-rowindex="100000"][aria-selected=true] .name').waitFor()
  expect(await page.locator('.row.span').count()).toBeLessThan(100)
  await page.keyboard.press('c')
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('5')
  expect(troubles).toEqual([])
  await close()
})
