// @module-tag slow
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

/** Opens a view and records the strings that it draws on canvases, in `globalThis.written`. */
async function openWritten(
  view: string,
  timezone: string,
): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const { page, close } = await open.open({ timezone })
  await page.addInitScript(`
    globalThis.written = []
    const write = CanvasRenderingContext2D.prototype.fillText
    CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
      globalThis.written.push(text)
      write.call(this, text, ...more)
    }`)
  await page.goto(`${open.origin}/${view}`)
  await page.reload()
  await page.locator('.legend li').first().waitFor()
  return { page, close }
}

/** Returns the recorded strings that look like times or dates: those with a colon, or a dash between digits. */
const writtenTimes = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...new Set(written)].filter((text) => /[:]|\\d-\\d/.test(text))`)

const rate = 'a=sum by (workload) (rate(http_requests_total[5m]))'

test.each([
  ['a graph of metrics', `#/metrics?${rate}&from=now-3h`, /^07:00$/, /^11:00$/],
  [
    'lines of logs',
    `#/logs?q=${encodeURIComponent('* | stats by (_time:5m) count() n')}&from=now-3h`,
    /^07:00$/,
    /^11:00$/,
  ],
  ['a graph of half days', `#/metrics?${rate}&from=2026-03-06&to=2026-03-12T00:00`, /^12:00$/, /^12:00$/],
  ['a graph of days', `#/metrics?${rate}&from=2026-02-10&to=2026-03-12T00:00`, /^2026-03-/, /^2026-03-/],
  ['a graph of seconds', `#/metrics?${rate}&from=now-20s`, /^07:59:50$/, /^11:59:50$/],
])('%s has a 24-hour clock in the chosen zone', async (_, view, local, utc) => {
  const { page, close } = await openWritten(view, 'America/New_York')
  await expect.poll(() => writtenTimes(page)).toContainEqual(expect.stringMatching(local))
  await page.evaluate(`written.length = 0`)
  await page.locator('.time-picker > .button').click()
  await page.getByLabel('Zone').selectOption('utc')
  await expect.poll(() => writtenTimes(page)).toContainEqual(expect.stringMatching(utc))
  const others = (await writtenTimes(page)).filter((text) => !/^(\d\d:\d\d(:\d\d)?|(\d{4}-)?\d\d-\d\d)$/.test(text))
  expect(others).toEqual([])
  await close()
})

test('each pattern has its rows over time', async () => {
  const { page, troubles, close } = await open.open({ view: '#/logs?q=level:error&form=patterns&from=now-6h' })
  await page.locator('.patterns .sparkline').first().waitFor()
  const rows = await page.locator('.patterns tbody tr').all()
  expect(rows.length).toBeGreaterThan(2)
  for (const row of rows) {
    const label = (await row.locator('.sparkline').getAttribute('aria-label')) ?? ''
    const [name, bars = ''] = label.split(': ')
    const counts = bars.split(', ').map((text) => Number(text.replaceAll(',', '')))
    const hits = Number((await row.locator('td.number').textContent())?.replaceAll(',', ''))
    expect([name, counts.reduce((sum, each) => sum + each, 0)]).toEqual(['Over time', hits])
    expect(await row.locator('.sparkline rect').count()).toBe(counts.filter((each) => each > 0).length)
  }
  expect(troubles).toEqual([])
  await close()
})
