// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY, NOW, openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
  const nanos = (agoMs: number): string => String(BigInt(NOW.getTime() - agoMs) * 1_000_000n)
  const point = {
    timeUnixNano: nanos(60_000),
    asInt: '3',
    exemplars: [{ timeUnixNano: nanos(90_000), asDouble: 2, traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }],
  }
  const metric = { name: 'orders_total', description: 'Orders.', gauge: { dataPoints: [point] } }
  const response = await fetch(`${open.origin}/v1/metrics`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] }),
  })
  expect(response.status).toBe(200)
})
afterAll(async () => open.close())

const params = (hash: string): URLSearchParams => new URLSearchParams(new URL(hash).hash.split('?')[1])
const viewOf = (members: Readonly<Record<string, string>>): string =>
  `#/metrics?${new URLSearchParams(members).toString()}`

test('a metric of the list begins an expression, which is drawn', async () => {
  const { page, troubles, close } = await open.open({ view: '#/metrics' })
  await page.getByRole('searchbox', { name: 'Find a metric' }).fill('requests answered')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForSelector('.time-chart .legend li')
  expect(params(page.url()).get('a')).toBe('rate(http_requests_total[5m])')
  await expect.poll(() => page.locator('.expression .cm-content').textContent()).toBe('rate(http_requests_total[5m])')
  expect(troubles).toEqual([])
  await close()
})

test('two expressions share a graph, one that fails is mended by its fix', async () => {
  const view = viewOf({ a: 'sum by (workload) (rate(http_requests_total[5m]))', b: 'raet(up[5m])', step: '1m' })
  const { page, troubles, close } = await open.open({ view })
  await page.waitForSelector('.time-chart .legend li')
  expect(await page.locator('.failure .place mark').textContent()).toBe('raet')
  await page.getByRole('button', { name: 'Write `rate`' }).click()
  await page.locator('.legend li', { hasText: 'B: ' }).first().waitFor()
  expect(params(page.url()).get('b')).toBe('rate(up[5m])')
  expect(await page.locator('.failure').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove Expression A' }).click()
  await expect.poll(() => page.locator('.expression').count()).toBe(1)
  expect(params(page.url()).get('a')).toBe(null)
  expect(troubles).toEqual([])
  await close()
})

test('the table has the labels as columns', async () => {
  const { page, close } = await open.open({ view: viewOf({ a: 'sum by (workload, code) (up)', form: 'table' }) })
  await page.waitForSelector('table.instant tbody tr')
  expect(await page.locator('table.instant thead th').allTextContents()).toEqual(['workload', 'Value'])
  await page.getByRole('button', { name: 'Value' }).click()
  expect(await page.locator('table.instant th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
  await close()
})

test('the editor completes names, labels and values of the server, and marks errors', async () => {
  const { page, close } = await open.open({ view: '#/metrics' })
  await page.locator('.metric').first().waitFor()
  await page.locator('.expression .cm-content').click()
  await page.keyboard.type('db_pool')
  const options = page.locator('.cm-tooltip-autocomplete li')
  await options.filter({ hasText: 'db_pool_connections_max' }).waitFor()
  await page.keyboard.type('_connections_max{name')
  await options.filter({ hasText: 'namespace' }).waitFor()
  await page.keyboard.type('space="pay')
  await options.filter({ hasText: 'payments' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForSelector('.cm-lintRange-error')
  await close()
})

test('an exemplar is a link to its trace', async () => {
  const { page, close } = await open.open({ view: viewOf({ a: 'orders_total' }) })
  const point = page.getByRole('link', { name: /^Exemplar 2 at/ })
  await point.waitFor()
  await point.press('Enter')
  await page.getByRole('heading', { name: 'ab'.repeat(16) }).waitFor()
  await page.goBack()
  await point.waitFor()
  await page.getByLabel('Exemplars').uncheck()
  await expect.poll(() => point.count()).toBe(0)
  await close()
})
