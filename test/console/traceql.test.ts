// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY, NOW, openConsole, type Console } from './browser.ts'

/** A trace id that Tempo writes without its leading zeros. */
const PADDED = `00${'ab'.repeat(15)}`

let open: Console
beforeAll(async () => {
  open = await openConsole()
  const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } })
  const nanos = (agoMs: number): string => String(BigInt(NOW.getTime() - agoMs) * 1_000_000n)
  const sent = (spanId: string, parentSpanId: string, name: string, more = {}) => ({
    traceId: PADDED,
    spanId,
    parentSpanId,
    name,
    startTimeUnixNano: nanos(60_000),
    endTimeUnixNano: nanos(59_000),
    attributes: [attribute('cart kind', 'large "one"')],
    ...more,
  })
  const spans = [sent('01'.repeat(8), '', 'GET /odd'), sent('02'.repeat(8), '01'.repeat(8), 'pay')]
  const resourceSpans = [{ resource: { attributes: [attribute('service.name', 'oddities')] }, scopeSpans: [{ spans }] }]
  const response = await fetch(`${open.origin}/v1/traces`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ resourceSpans }),
  })
  expect(response.status).toBe(200)
})
afterAll(async () => open.close())

const params = (url: string): URLSearchParams => new URLSearchParams(new URL(url).hash.split('?')[1])
const viewOf = (members: Readonly<Record<string, string>>): string =>
  `#/traces?${new URLSearchParams({ dialect: 'traceql', ...members }).toString()}`

test('a query in TraceQL lists traces, and a click opens one with the found spans marked', async () => {
  const { page, troubles, close } = await open.open({ view: viewOf({ q: '{ name = "pay" && .missing = nil }' }) })
  const row = page.locator('table.traces tbody tr')
  await expect.poll(() => row.count()).toBe(1)
  expect(await row.locator('td').allTextContents()).toEqual([
    '03-10 11:59:00.000',
    expect.stringContaining('odditiesGET /odd'),
    '1 s',
    '2',
    '0',
  ])
  expect(await row.locator('.hint').textContent()).toBe('1 span matches')
  await row.getByRole('link').click()
  await page.waitForSelector('.row.span.matched')
  expect(await page.locator('.row.span.matched .name').allTextContents()).toEqual(['pay'])
  expect(await page.locator('.row.span').count()).toBe(2)
  expect(params(page.url()).get('match')).toBe('02'.repeat(8))
  expect(troubles).toEqual([])
  await close()
})

test('the choice of TraceQL begins with all traces, and the back key returns to what was typed', async () => {
  const { page, close } = await open.open({ view: '#/traces?q=status:error' })
  await page.locator('.query-editor .cm-content').fill('status:error typed')
  await page.getByRole('combobox', { name: 'Dialect' }).selectOption('TraceQL')
  const rows = page.locator('table.traces tbody tr')
  await expect.poll(() => rows.count()).toBe(200)
  expect(await page.locator('.traces .hint').count()).toBe(0)
  expect([params(page.url()).get('dialect'), params(page.url()).get('q')]).toEqual(['traceql', null])
  await page.goBack()
  await expect.poll(() => page.locator('.query-editor .cm-content').textContent()).toBe('status:error typed')
  await close()
})

test('columns sort the traces that were found', async () => {
  const { page, close } = await open.open({ view: viewOf({ q: '{ status = error }' }) })
  await page.getByRole('button', { name: 'Duration' }).click()
  await page.locator('th[aria-sort=descending]', { hasText: 'Duration' }).waitFor()
  expect(params(page.url()).get('sort')).toBe('longest')
  await close()
})

test('mistakes are underlined while they are typed, and a refused query has places and fixes', async () => {
  const { page, close } = await open.open({ view: viewOf({ q: '{ stauts = error }' }) })
  expect(await page.locator('.failure .place mark').textContent()).toBe('stauts')
  await page.waitForSelector('.cm-lintRange-error')
  await page.getByRole('button', { name: 'Write `status`' }).click()
  await page.waitForSelector('table.traces tbody tr')
  expect(params(page.url()).get('q')).toBe('{ status = error }')
  await page.locator('.query-editor .cm-content').fill('{} | rate()')
  await page.keyboard.press('Enter')
  await page.getByText('This query gives series; a search finds spans.').first().waitFor()
  await close()
})

test('the editor completes words, attributes and values', async () => {
  const { page, troubles, close } = await open.open({ view: viewOf({}) })
  await page.locator('.query-editor .cm-content').click()
  const options = page.locator('.cm-tooltip-autocomplete li')
  await page.keyboard.type('{ resource.serv')
  await options.filter({ hasText: /^resource\.service\.name$/ }).waitFor()
  await page.keyboard.type('ice.name = "odd')
  await options.filter({ hasText: 'oddities' }).click()
  await page.keyboard.type(' && stat')
  await options.filter({ hasText: /^status$/ }).waitFor()
  await page.keyboard.type('us = ')
  await options.filter({ hasText: 'unset' }).waitFor()
  await page.keyboard.type('unset && span.cart')
  await expect.poll(() => options.allTextContents()).toEqual(['span.cart kind'])
  await options.click()
  await page.keyboard.type(' = ')
  await options.filter({ hasText: 'large "one"' }).click()
  await page.keyboard.type(' } | sel')
  await options.filter({ hasText: 'select' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.type('ect(name)')
  const text = String.raw`{ resource.service.name = "oddities" && status = unset && span."cart kind" = "large \"one\"" } | select(name)`
  expect(await page.locator('.query-editor .cm-content').textContent()).toBe(text)
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.locator('table.traces tbody tr .hint').allTextContents()).toEqual(['2 spans match'])
  await page.waitForSelector('.query-editor .tok-property')
  expect(troubles).toEqual([])
  await close()
})
