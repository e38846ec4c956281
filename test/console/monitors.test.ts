// @module-tag slow
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Webhook } from '../harness/webhook.ts'
import { violations } from './axe.ts'
import { NOW, READ_KEY, openConsole, type Console, type Opened, type OpenOptions } from './browser.ts'

const hook = new Webhook()
let open: Console
/** Ids of monitors by their titles. */
const ids = new Map<string, string>()

const minutes = (count: number): string => new Date(NOW.getTime() + count * 60_000).toISOString()

const errors = (title: string, more: object = {}): object => ({
  title,
  severity: 'S2',
  evaluationInterval: { interval: '1m' },
  model: {
    queries: [{ name: 'q', dataType: 'logs', expression: 'level:error | stats by (workload) count() as n' }],
    thresholds: [{ name: 'many', inputName: 'q', operator: 'gt', values: [2] }],
  },
  ...more,
})

async function create(title: string, more: object = {}): Promise<string> {
  const { monitorId } = (await open.call('POST', '/api/monitors', errors(title, more))) as { monitorId: string }
  ids.set(title, monitorId)
  return monitorId
}

const stored = async (id: string): Promise<string> => (await open.call('GET', `/api/monitors/${id}`)) as string

beforeAll(async () => {
  const url = await hook.open()
  open = await openConsole({
    hasAlerting: true,
    notify: `
route: { receiver: team, group_by: [alertname], group_wait: 0s, group_interval: 1s }
receivers: [{ name: team, webhook_configs: [{ url: '${url}' }] }]
allow_addresses: [127.0.0.1]
`,
  })
  hook.answers.push(...Array.from({ length: 200 }, () => 400))
  await create('Checkout errors', { autoResolve: false, annotations: { summary: '{{ $value }} errors' } })
  await create('Slow to fire', { evaluationInterval: { interval: '1m', pendingFor: '1h' }, severity: 'S3' })
  await create('Broken', { model: { queries: [{ name: 'q', datasourceType: 'clickhouse', expression: 'SELECT 1' }] } })
  await create('Held back', { isPaused: true })
  await create('Without a query', { model: {} })
  const row = (at: number) => ({ time: minutes(at), level: 'error', workload: 'shop-window', message: 'failed' })
  await open.call('POST', '/api/ingest/logs', [0.1, 0.2, 0.3, 1.1, 1.2, 1.3, 1.4].map(row))
  await open.call('POST', '/test/clock', { now: minutes(1) })
  await open.call('POST', '/test/clock', { now: minutes(2) })
})
afterAll(async () => {
  await open.close()
  hook.close()
})

/** Opens a view. Accepts the confirmation dialog that leaving a changed form opens. */
async function show(view: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await open.open({ view, now: new Date(minutes(2)), ...options })
  opened.page.on('dialog', (dialog) => void dialog.accept())
  opened.page.setDefaultTimeout(5000)
  return opened
}

const one = (id: string, params = ''): string => `#/monitors?id=${id}${params}`

const shownTitles = (page: Page): Promise<readonly string[]> => page.locator('.resources tbody a').allTextContents()

describe('the list', () => {
  test('shows states, most urgent first; filter and order are in the link', async () => {
    const { page, troubles, close } = await show('#/monitors')
    await page.locator('.resources tbody tr').first().waitFor()
    expect(await page.locator('.resources .state-badge').allTextContents()).toEqual([
      'Firing',
      'Error',
      'Pending',
      'Not evaluated',
      'Paused',
    ])
    expect((await shownTitles(page))[0]).toBe('Checkout errors')
    await page.getByRole('button', { name: 'Title' }).click()
    await expect.poll(async () => (await shownTitles(page))[0]).toBe('Broken')
    await page.getByLabel('Find monitors').fill('S3')
    await expect.poll(() => shownTitles(page)).toEqual(['Slow to fire'])
    await expect.poll(() => page.url()).toContain('sort=title&q=S3')
    await page.goto(`${open.origin}/#/monitors?state=paused`)
    await expect.poll(() => shownTitles(page)).toEqual(['Held back'])
    expect(troubles).toEqual([])
    await close()
  })

  test('a notification that was given up can be sent again', async () => {
    const { page, close } = await show('#/monitors')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('It is attempted again.').waitFor()
    await close()
  })
})

describe('a monitor', () => {
  test('shows its states by labels, their history, and its query with the threshold', async () => {
    const { page, troubles, close } = await show(one(ids.get('Checkout errors') ?? ''))
    const row = page.locator('.instances tbody tr', { hasText: 'shop-window' })
    await row.waitFor()
    expect(await row.locator('.state-badge').textContent()).toBe('Firing')
    expect(await row.locator('.number').first().textContent()).toBe('4')
    expect(await row.textContent()).toContain('summary: 4 errors')
    await page.locator('.lane rect.state-firing').first().waitFor()
    await page.locator('.legend', { hasText: 'many > 2' }).waitFor()
    expect(await page.locator('.legend').textContent()).toContain('shop-window')
    expect(troubles).toEqual([])
    await close()
  })

  test('an alert is silenced with the matchers of its labels', async () => {
    const { page, close } = await show(one(ids.get('Checkout errors') ?? ''))
    const row = page.locator('.instances tbody tr', { hasText: 'shop-window' })
    await row.getByRole('link', { name: 'Silence' }).click()
    await page.locator('.form-row').first().waitFor()
    const values = await page
      .locator('.form-row input')
      .evaluateAll((inputs) => inputs.map((input) => (input as unknown as { value: string }).value))
    expect(values).toEqual(['alertname', 'Checkout errors', 'severity', 'S2', 'workload', 'shop-window'])
    await page.getByText('Holds one alert now').waitFor()
    await close()
  })

  test('an alert that does not resolve by itself is resolved by hand', async () => {
    const { page, close } = await show(one(ids.get('Checkout errors') ?? ''))
    const row = page.locator('.instances tbody tr', { hasText: 'shop-window' })
    await row.getByRole('button', { name: 'Resolve' }).click()
    await expect.poll(() => page.locator('.instances .state-firing').count()).toBe(0)
    await close()
  })

  test('is paused and goes on', async () => {
    const id = await create('Paused by hand')
    const { page, close } = await show(one(id))
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(await stored(id)).toContain('isPaused: true')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await close()
  })

  test('is deleted after a question, by keys alone', async () => {
    const id = await create('To be deleted')
    const { page, close } = await show(one(id))
    await page.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.resources tbody tr').first().waitFor()
    expect(await shownTitles(page)).not.toContain('To be deleted')
    await close()
  })
})

describe('the form', () => {
  test('creates a monitor; what the server refuses stands at its field, with its fix', async () => {
    const { page, troubles, close } = await show('#/monitors?new=form')
    await page.getByLabel('Title').fill('Made in the form')
    await page.locator('.query-editor .cm-content').click()
    await page.keyboard.type('level:error | limt 5')
    await page.keyboard.press('Escape')
    await page.getByLabel('Team').fill('shop')
    await page.getByRole('button', { name: 'Save' }).click()
    const field = page.locator('[data-path="$.model.queries[0].expression"]')
    await field.getByText('There is no pipe named').waitFor()
    await field.getByRole('button', { name: 'Write `limit`' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Made in the form' }).waitFor()
    const id = /id=([\w-]+)/.exec(page.url())?.[1] ?? ''
    expect(await stored(id)).toContain('expression: level:error | limit 5')
    expect(await stored(id)).toContain('team: shop')
    expect(troubles).toEqual([])
    await close()
  })

  test('keeps members that it does not know, and removes what was emptied', async () => {
    const id = await create('With links', { links: [{ href: 'x', count: 2 }], labels: { a: 'b' }, team: 'shop' })
    const { page, close } = await show(one(id, '&edit=form'))
    expect(await page.getByRole('textbox', { name: 'Other members' }).inputValue()).toContain('"href": "x"')
    await page.getByLabel('Labels: name 1').fill('c')
    await page.getByLabel('Team').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    const after = await stored(id)
    expect(after).not.toContain('team')
    expect(after).toContain('href: x')
    expect(after).toMatch(/labels:\n {2}c: b/)
    await close()
  })

  test('and YAML are two views of one definition', async () => {
    const id = await create('Two views')
    const { page, close } = await show(one(id, '&edit=form'))
    await page.getByLabel('Severity').fill('S1')
    await page.getByRole('tab', { name: 'YAML' }).click()
    const text = page.getByLabel('YAML', { exact: true })
    expect(await text.inputValue()).toContain('severity: S1')
    await text.fill('title: [')
    await page.getByText('This text cannot be read yet').waitFor()
    expect(await page.getByRole('tab', { name: 'Form' }).isDisabled()).toBe(true)
    await text.fill('title: Two views\nseverity: S9\n')
    await page.getByRole('tab', { name: 'Form' }).click()
    expect(await page.getByLabel('Severity').inputValue()).toBe('S9')
    await close()
  })

  test('draws the query as it is written', async () => {
    const { page, close } = await show(one(ids.get('Slow to fire') ?? '', '&edit=form'))
    await page.getByLabel('Values').first().fill('7')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.legend', { hasText: 'many > 7' }).waitFor()
    await close()
  })

  test('is read-only for a key without the role, with the reason', async () => {
    const { page, close } = await show(one(ids.get('Held back') ?? '', '&edit=form'), { key: READ_KEY })
    await page.getByText('changes need the role write').waitFor()
    expect(await page.getByLabel('Title').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.preview').waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await close()
  })
})

describe('no text is lost', () => {
  test('after a concurrent save, the stored version is loaded and the unsaved one is kept as text', async () => {
    const id = await create('Edited by two')
    const { page, close } = await show(one(id, '&edit=form'))
    await page.getByLabel('Team').fill('mine')
    await open.call('PUT', `/api/monitors/${id}`, { category: 'theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed this monitor').waitFor()
    await page.getByText('They changed: category. You changed: team.').waitFor()
    expect(await stored(id)).not.toContain('mine')
    await page.getByRole('button', { name: 'Show their version' }).click()
    expect(await page.locator('.definition').textContent()).toContain('category: theirs')
    await page.getByRole('button', { name: 'Load theirs, keep mine as text' }).click()
    expect(await page.getByLabel('Category').first().inputValue()).toBe('theirs')
    expect(await page.getByLabel('Team').inputValue()).toBe('')
    expect(await page.getByLabel('Your version, kept as text').inputValue()).toContain('team: mine')
    await page.getByLabel('Team').fill('both')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    expect(await page.getByLabel('Your version, kept as text').inputValue()).toContain('team: mine')
    await page.getByRole('button', { name: 'Forget this text' }).click()
    expect(await page.getByLabel('Your version, kept as text').count()).toBe(0)
    await close()
  })

  test('a concurrent change is reported', async () => {
    const id = await create('Edited at once')
    const { page, close } = await show(one(id, '&edit=form'))
    await page.getByLabel('Team').fill('mine')
    const meanwhile = async (route: Route): Promise<void> => {
      await open.call('PUT', `/api/monitors/${id}`, { category: 'theirs' })
      await route.continue()
    }
    await page.route('**/api/monitors/*?replace=true', meanwhile, { times: 1 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('They changed: category. You changed: team.').waitFor()
    await page.getByRole('button', { name: 'Save mine over theirs' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(await stored(id)).toContain('team: mine')
    expect(await stored(id)).not.toContain('theirs')
    await close()
  })

  test('when the server is away, when the session ends, and when the page is loaded again', async () => {
    const id = await create('Kept draft')
    const { page, close } = await show(one(id, '&edit=form'))
    await page.getByLabel('Team').fill('typed')
    await page.route('**/api/monitors/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('What you typed is kept.').waitFor()
    await page.unroute('**/api/monitors/**')
    await page.reload()
    await page.getByText('These are your changes from before').waitFor()
    expect(await page.getByLabel('Team').inputValue()).toBe('typed')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill('console-test-key-0123456789abcdef0123456789')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('These are your changes from before').waitFor()
    expect(await page.getByLabel('Team').inputValue()).toBe('typed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(await stored(id)).toContain('team: typed')
    await close()
  })

  test('when a link leads away: the page asks, and has the text on return', async () => {
    const { page, close } = await show(one(ids.get('Held back') ?? '', '&edit=form'))
    await page.getByLabel('Team').fill('typed')
    await page.getByRole('link', { name: 'Logs' }).click()
    await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    expect(await page.getByLabel('Team').inputValue()).toBe('typed')
    await page.goBack()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await expect.poll(() => page.locator('.definition-editor').count()).toBe(0)
    await page.goto(`${open.origin}/${one(ids.get('Held back') ?? '', '&edit=form')}`)
    await page.getByText('These are your changes from before').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await page.getByLabel('Team').inputValue()).toBe('')
    await close()
  })
})

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each([
    ['the list', (): string => '#/monitors', '.resources tbody tr'],
    ['a monitor', () => one(ids.get('Checkout errors') ?? ''), '.legend li'],
    ['the form', () => one(ids.get('Checkout errors') ?? '', '&edit=form'), '.query-editor .cm-content'],
    ['the text', () => one(ids.get('Checkout errors') ?? '', '&edit=yaml'), '.text-view textarea'],
  ] as const)('%s can be used by everybody', async (_, view, ready) => {
    const { page, troubles, close } = await show(view(), { theme })
    await page.locator(ready).first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await violations(page)).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })
})
