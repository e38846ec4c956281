// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

const params = (url: string): URLSearchParams => new URLSearchParams(new URL(url).hash.split('?')[1])
const viewOf = (members: Readonly<Record<string, string>>): string =>
  `#/logs?${new URLSearchParams({ dialect: 'logql', ...members }).toString()}`

test('the choice of LogQL begins with all entries, and the back key returns to what was typed', async () => {
  const { page, troubles, close } = await open.open()
  await page.locator('.query-editor .cm-content').fill('level:error typed')
  await page.getByRole('combobox', { name: 'Dialect' }).selectOption('LogQL')
  await expect.poll(() => page.locator('.status').textContent()).toMatch(/^the first 1,000 rows in /)
  expect([params(page.url()).get('dialect'), params(page.url()).get('q')]).toEqual(['logql', null])
  await page.waitForSelector('.histogram rect.level-error')
  expect(await page.locator('.facets, button:text-is("Live")').count()).toBe(0)
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Rows', 'Table'])
  await page.goBack()
  await expect.poll(() => page.locator('.query-editor .cm-content').textContent()).toBe('level:error typed')
  expect(troubles).toEqual([])
  await close()
})

test('a log query lists entries with their labels, and a click on a value adds a stage', async () => {
  const { page, troubles, close } = await open.open({ view: viewOf({ q: '{namespace="shop"} | level = "error"' }) })
  await page.locator('.rows .row .cell.message').nth(1).click()
  await page.waitForSelector('.detail .field')
  const names = await page.locator('.detail .field dt').allTextContents()
  expect(names.slice(0, 2)).toEqual(['_time', 'content'])
  expect(names).toEqual(expect.arrayContaining(['detected_level', 'namespace', 'service_name', 'workload']))
  expect(await page.getByRole('button', { name: 'Only rows with this _time' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Only rows with this workload' }).click()
  const editor = page.locator('.query-editor .cm-content')
  await expect
    .poll(() => editor.textContent())
    .toMatch(/^\{namespace="shop"\} \| level = "error" \| workload = "[\w-]+"$/)
  await expect.poll(() => page.locator('.status').textContent()).toMatch(/^\d+ rows in /)
  await editor.click()
  await page.keyboard.press('Control+z')
  expect(await editor.textContent()).toBe('{namespace="shop"} | level = "error"')
  expect(troubles).toEqual([])
  await close()
})

test('the rows around an entry are those of its pod', async () => {
  const { page, close } = await open.open({ view: viewOf({ q: '{namespace="shop"}', row: '1' }) })
  await page.getByRole('button', { name: 'Rows around it' }).click()
  await page.locator('.status', { hasText: ' rows in ' }).waitFor()
  expect(params(page.url()).get('q')).toMatch(/^\{service_name=~"\.\+"\} \| \w+="[\w-]+" \| \w+="[\w-]+"$/)
  await page.waitForSelector('.rows .row .cell.message')
  await close()
})

test('a metric query draws its series, and shows them as a table', async () => {
  const q = 'sum by (workload) (count_over_time({namespace="shop"}[5m]))'
  const { page, troubles, close } = await open.open({ view: viewOf({ q }) })
  await page.locator('.legend li').first().waitFor()
  expect(await page.locator('.legend li').count()).toBeGreaterThan(1)
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Lines', 'Table', 'Bars', 'Heat map'])
  await page.getByRole('tab', { name: 'Table' }).click()
  await page.waitForSelector('table.groups tbody tr')
  expect(await page.locator('table.groups thead th').allTextContents()).toEqual(['_time', 'workload', 'value'])
  expect(troubles).toEqual([])
  await close()
})

test('mistakes are underlined while they are typed, and a refused query shows its place', async () => {
  const { page, close } = await open.open({ view: viewOf({ q: '{namespace="shop"} | jsno x' }) })
  await page.locator('.failure .place mark').waitFor()
  expect(await page.locator('.failure .place mark').textContent()).toBe('x')
  await page.waitForSelector('.cm-lintRange-error')
  await page.locator('.query-editor .cm-content').fill('{namespace=~"("}')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.failure .place mark').textContent()).toContain('(')
  await close()
})

test('the editor completes stages, functions, labels, fields and values', async () => {
  const { page, troubles, close } = await open.open({ view: viewOf({}) })
  await page.locator('.query-editor .cm-content').click()
  const options = page.locator('.cm-tooltip-autocomplete li')
  const completed = async (typed: string, option: string): Promise<void> => {
    await page.keyboard.type(typed)
    const offered = async (): Promise<readonly string[]> => {
      const found = await options.allTextContents()
      // Keys that arrive while the test reads the list may have closed it.
      if (!found.includes(option)) await page.keyboard.press('Control+Space')
      return found
    }
    await expect.poll(offered, { interval: 1000 }).toContain(option)
  }
  await completed('sum(count_over', 'count_over_time')
  await completed('_time({names', 'namespace')
  await completed('pace="sh', 'shop')
  await completed('op"} | log', 'logfmt')
  await completed('fmt | detected_l', 'detected_level')
  await completed('evel = ', 'error')
  await options.filter({ hasText: 'error' }).click()
  const editor = page.locator('.query-editor .cm-content')
  const text = 'sum(count_over_time({namespace="shop"} | logfmt | detected_level = "error"'
  await expect.poll(() => editor.textContent()).toBe(text)
  await page.keyboard.type(' [5m]))')
  await page.keyboard.press('Control+Enter')
  await page.locator('.legend li').first().waitFor()
  await page.waitForSelector('.query-editor .tok-property')
  expect(troubles).toEqual([])
  await close()
})

test('a page over files says that LogQL needs a server', async () => {
  const { page, close } = await open.open({ isOverFiles: true, view: viewOf({ q: '{a="b"}' }) })
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'a.ndjson', mimeType: 'text/plain', buffer: Buffer.from('{"message":"a"}\n') })
  await page.getByText('a search in LogQL needs a server').waitFor()
  await close()
})
