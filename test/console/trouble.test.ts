// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY, openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

const query = 'level:error timeout'

test('a lost server is said, the query stays, and a retry goes on', async () => {
  const { page, close } = await open.open({ view: `#/logs?q=${encodeURIComponent(query)}` })
  await page.locator('.rows .row:not(.header)').first().waitFor()
  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Run' }).click()
  await page.locator('.failure', { hasText: 'The server does not answer' }).waitFor()
  expect(await page.locator('.query-editor .cm-content').textContent()).toBe(query)
  await page.unroute('**/api/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.rows .row:not(.header)').first().waitFor()
  await close()
})

test('a session that ended asks for the key over the page, and the page goes on', async () => {
  const { page, close } = await open.open()
  await page.locator('.rows .row:not(.header)').first().waitFor()
  await page.context().clearCookies()
  await page.locator('.query-editor .cm-content').fill(query)
  await page.keyboard.press('Control+Enter')
  await page.locator('.failure').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByLabel('API key').fill('a key that was revoked')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.locator('.fault').filter({ hasText: /\w/ }).waitFor()
  await dialog.getByLabel('API key').fill(KEY)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.rows .row:not(.header)').first().waitFor()
  expect(await page.locator('.query-editor .cm-content').textContent()).toBe(query)
  await close()
})

test('a link signs in once', async () => {
  const code = open.server.consoleCode() ?? ''
  const visit = async () => {
    const context = await open.browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(`${open.origin}/#code=${code}`)
    return { page, context }
  }
  const first = await visit()
  await first.page.waitForSelector('header.top')
  expect(first.page.url()).not.toContain(code)
  const second = await visit()
  await second.page.locator('.sign-in .fault').filter({ hasText: /\w/ }).waitFor()
  await first.context.close()
  await second.context.close()
})

test('an unknown page and unknown words of a link offer a way to continue', async () => {
  const { page, close } = await open.open({ view: '#/nosuch?x=1' })
  await page.getByRole('link', { name: 'Open the logs' }).click()
  await page.locator('.query-editor').waitFor()
  await page.evaluate(`location.hash = '#/logs?from=nonsense&to=now&form=nosuch&row=-5'`)
  await page.locator('.failure').waitFor()
  expect(await page.locator('.failure').textContent()).toContain('nonsense')
  await close()
})

test('a server whose answer breaks off says so', async () => {
  const { page, close } = await open.open()
  await page.locator('.rows .row:not(.header)').first().waitFor()
  await page.route('**/api/logs/v2/search', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  )
  await page.getByRole('button', { name: 'Run' }).click()
  await page.locator('.failure', { hasText: 'status 502' }).waitFor()
  await close()
})
