import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

test('the first view has rows, a histogram and fields, and asks nobody else', async () => {
  const { page, troubles, close } = await open.open()
  await page.waitForSelector('.rows .row .cell.message')
  await expect.poll(() => page.locator('.status').textContent()).toMatch(/^the first 1,000 rows in /)
  await page.waitForSelector('.histogram rect.level-error')
  await page.locator('.facet', { hasText: 'level' }).first().waitFor()
  expect(troubles).toEqual([])
  await close()
})

test('a text that is typed quickly stays as it is, and runs', async () => {
  const { page, troubles, close } = await open.open()
  await page.locator('.query-editor .cm-content').click()
  const query = 'level:error | stats by (workload) count() n | sort by (n desc)'
  await page.keyboard.type(query)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page.waitForSelector('table.groups tbody tr')
  expect(await page.locator('.query-editor .cm-content').textContent()).toBe(query)
  expect(await page.locator('table.groups thead th').allTextContents()).toEqual(['workload', 'n'])
  expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('q')).toBe(query)
  expect(troubles).toEqual([])
  await close()
})

test('an error marks the place, and its fix mends the query', async () => {
  const { page, close } = await open.open({ view: `#/logs?q=${encodeURIComponent('level:error | limt 5')}` })
  await page.getByRole('button', { name: 'Write `limit`' }).click()
  await page.waitForSelector('.rows .row .cell.message')
  await expect.poll(() => page.locator('.status').textContent()).toMatch(/^5 rows in /)
  await close()
})

test('a click on a value narrows the query, and undo takes it back', async () => {
  const { page, close } = await open.open({ view: `#/logs?q=${encodeURIComponent('level:error or level:warn')}` })
  await page.locator('.rows .row .cell.message').nth(1).click()
  await page.getByRole('button', { name: 'Only rows with this workload' }).click()
  const editor = page.locator('.query-editor .cm-content')
  await expect.poll(() => editor.textContent()).toMatch(/^\(level:error or level:warn\) workload:=[\w-]+$/)
  await editor.click()
  await page.keyboard.press('Control+z')
  expect(await editor.textContent()).toBe('level:error or level:warn')
  await close()
})
