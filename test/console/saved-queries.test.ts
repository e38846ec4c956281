// @module-tag slow
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { READ_KEY, openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole({ hasAlerting: true })
})
afterAll(async () => open.close())

const names = (page: Page) => page.locator('.saved-query .item').allTextContents()

async function save(page: Page, query: string, name: string): Promise<void> {
  await page.locator('.query-editor .cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(query)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByLabel('Save this query as').fill(name)
  await page.keyboard.press('Enter')
  await page.locator('.saved-query', { hasText: name }).waitFor()
}

test('a query is saved for its user, found by another browser, run and forgotten', async () => {
  const first = await open.open({ view: '#/logs' })
  await save(first.page, 'level:error', 'Errors')
  expect(first.page.url()).not.toContain('level')
  await first.close()

  const second = await open.open({ view: '#/traces' })
  await save(second.page, 'status:ok', 'Fine')
  expect(await names(second.page)).toEqual(['Errors', 'Fine'])
  await second.page.locator('.saved-query .item', { hasText: 'Fine' }).click()
  await second.page.waitForURL(/q=status%3Aok/)
  await second.page.getByRole('button', { name: 'History' }).click()
  await second.page.getByRole('button', { name: 'Forget “Errors”' }).click()
  await second.page.locator('.saved-query', { hasText: 'Errors' }).waitFor({ state: 'detached' })
  expect(await open.call('GET', '/api/saved-queries')).toEqual({ queries: [{ name: 'Fine', query: 'status:ok' }] })
  expect(second.troubles).toEqual([])
  await second.close()

  const reader = await open.open({ view: '#/logs', key: READ_KEY })
  await reader.page.getByRole('button', { name: 'History' }).click()
  await reader.page.getByText('Latest queries of this browser').or(reader.page.getByText('No queries yet.')).waitFor()
  expect(await names(reader.page)).toEqual([])
  await reader.close()
})

test('two tabs that save at once keep both', async () => {
  const { page, close } = await open.open({ view: '#/logs' })
  const meanwhile = { queries: [{ name: 'Theirs', query: '*' }] }
  await page.route(
    '**/api/saved-queries',
    async (route) => {
      if (route.request().method() === 'PUT') await open.call('PUT', '/api/saved-queries', meanwhile)
      await route.continue()
    },
    { times: 3 },
  )
  await save(page, 'level:warn', 'Mine')
  expect(await names(page)).toEqual(['Theirs', 'Mine'])
  await close()
})

test('a refusal of the server is shown', async () => {
  const { page, close } = await open.open({ view: '#/logs' })
  await page.route('**/api/saved-queries', (route) => route.abort())
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('#query-history .fault').getByText('The server does not answer').waitFor()
  await close()
})

test('over files, the browser keeps them', async () => {
  const { page, close } = await open.open({ isOverFiles: true })
  await save(page, 'level:error', 'Local')
  await page.reload()
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.saved-query', { hasText: 'Local' }).waitFor()
  expect(JSON.stringify(await open.call('GET', '/api/saved-queries'))).not.toContain('Local')
  await close()
})
