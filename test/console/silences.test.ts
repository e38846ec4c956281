// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { NOW, READ_KEY, openConsole, type Console, type Opened, type OpenOptions } from './browser.ts'

let open: Console

const hours = (count: number): string => new Date(NOW.getTime() + count * 3_600_000).toISOString()

interface Stored {
  readonly id: string
  readonly startsAt: string
  readonly endsAt: string
  readonly comment: string
  readonly matchers: readonly object[]
  readonly active: boolean
}

async function create(comment: string, from: number, to: number, workload = 'shop-window'): Promise<string> {
  const body = {
    startsAt: hours(from),
    endsAt: hours(to),
    comment,
    matchers: [{ name: 'workload', type: 0, value: workload }],
  }
  return ((await open.call('POST', '/api/monitors/silences', body)) as Stored).id
}

const read = async (id: string): Promise<Stored> => (await open.call('GET', `/api/monitors/silences/${id}`)) as Stored

beforeAll(async () => {
  open = await openConsole({ hasAlerting: true })
  const model = {
    queries: [{ name: 'q', dataType: 'logs', expression: 'level:error | stats by (workload) count() as n' }],
    thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [2] }],
  }
  await open.call('POST', '/api/monitors', { title: 'Errors', evaluationInterval: { interval: '1m' }, model })
  const row = (seconds: number) => ({
    time: new Date(NOW.getTime() + seconds * 1000).toISOString(),
    level: 'error',
    workload: 'shop-window',
    message: 'failed',
  })
  await open.call('POST', '/api/ingest/logs', [10, 20, 30, 40].map(row))
  await open.call('POST', '/test/clock', { now: new Date(NOW.getTime() + 60_000).toISOString() })
  await create('holds', -1, 3)
  await create('to come', 2, 4, 'other')
  await create('is over', -4, -3, 'other')
})
afterAll(async () => open.close())

async function show(view: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await open.open({ view, ...options, now: new Date(NOW.getTime() + 60_000) })
  opened.page.on('dialog', (dialog) => void dialog.accept())
  opened.page.setDefaultTimeout(5000)
  return opened
}

describe('the list', () => {
  test('has active, pending and expired silences, and the alerts that one holds', async () => {
    const { page, troubles, close } = await show('#/silences')
    await page.locator('.card').first().waitFor()
    expect(await page.locator('.card .state-badge').allTextContents()).toEqual(['Active', 'Pending', 'Expired'])
    const card = page.locator('.card', { hasText: 'holds' })
    expect(await card.textContent()).toContain('ends in 2h 59m')
    await card.getByText('Holds one alert now').click()
    await card.getByText('Errors').waitFor()
    await page.getByRole('button', { name: 'Pending' }).click()
    await expect.poll(() => page.locator('.card').count()).toBe(1)
    await expect.poll(() => page.url()).toContain('state=pending')
    await page.getByRole('button', { name: 'Pending' }).click()
    await page.getByLabel('Find silences').fill('over')
    expect(await page.locator('.card').allTextContents()).toHaveLength(1)
    expect(troubles).toEqual([])
    await close()
  })

  test('a silence is made longer and ended', async () => {
    const id = await create('by hand', 0, 1, 'by-hand')
    const { page, close } = await show(`#/silences?id=${id}`)
    await page.getByLabel('Extend').selectOption('4h')
    await page.getByText('ends in 4h 59m').waitFor()
    expect((await read(id)).endsAt).toBe('2026-03-10T17:00:00Z')
    await page.getByRole('button', { name: 'Expire' }).click()
    await page.locator('.card .state-badge', { hasText: 'Expired' }).waitFor()
    expect((await read(id)).active).toBe(false)
    await close()
  })

  test('a silence that has not begun is taken back', async () => {
    const id = await create('not yet', 1, 2, 'not-yet')
    const { page, close } = await show(`#/silences?id=${id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No silence matches.').waitFor()
    await expect(read(id)).rejects.toThrow('silence')
    await close()
  })

  test('a key that only reads sees no buttons, and why', async () => {
    const { page, close } = await show('#/silences', { key: READ_KEY })
    await page.getByText('changes need the role write').waitFor()
    await page.locator('.card').first().waitFor()
    expect(await page.getByRole('button', { name: 'Expire', exact: true }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New silence' }).count()).toBe(0)
    await close()
  })
})

describe('the form', () => {
  test('makes a silence by keys alone, and shows the alerts that it would hold', async () => {
    const { page, troubles, close } = await show('#/silences?new=form')
    await page.getByLabel('Label').focus()
    await page.keyboard.type('workload')
    await page.keyboard.press('Tab')
    await page.getByLabel('Matches').selectOption('=~')
    await page.keyboard.press('Tab')
    await page.keyboard.type('shop-.*')
    await page.getByText('Holds one alert now').waitFor()
    await page.getByLabel('Lasts').fill('1d 2h')
    await page.getByLabel('Comment').fill('deploy')
    await page.getByLabel('Lasts').press('Enter')
    await page.locator('.card', { hasText: 'deploy' }).waitFor()
    const id = /id=([\w-]+)/.exec(page.url())?.[1] ?? ''
    expect(await read(id)).toMatchObject({
      endsAt: '2026-03-11T14:01:00Z',
      comment: 'deploy',
      matchers: [{ name: 'workload', value: 'shop-.*', isEqual: true, isRegex: true }],
    })
    expect(troubles).toEqual([])
    await close()
  })

  test('says at its field what is wrong', async () => {
    const { page, close } = await show('#/silences?new=form')
    await page.getByLabel('Label').fill('workload')
    await page.getByLabel('Matches').selectOption('=~')
    await page.getByLabel('Value').fill('(')
    await page.getByLabel('Lasts').fill('long')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-path="$.duration"]').getByText('is no length of time').waitFor()
    await page.getByLabel('Lasts').fill('2h')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-path="$.matchers[0].value"]').getByText('is not a regular expression').waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('[data-path]')?.getAttribute('data-path'))).toBe(
      '$.matchers[0].value',
    )
    await close()
  })

  test('a concurrent change is explained before it is overwritten', async () => {
    const id = await create('first', 0, 5, 'edited')
    const { page, close } = await show(`#/silences?id=${id}&edit=form`)
    await page.getByLabel('Comment').fill('mine')
    await open.call('PUT', `/api/monitors/silences/${id}`, { comment: 'theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed this silence').waitFor()
    await page.getByRole('button', { name: 'Save mine over theirs' }).click()
    await page.locator('.card', { hasText: 'mine' }).waitFor()
    expect(await read(id)).toMatchObject({ comment: 'mine', startsAt: '2026-03-10T12:00:00Z' })
    await close()
  })
})

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each([
    ['the list', '#/silences', '.card'],
    ['the form', '#/silences?new=form', '.form-row'],
  ] as const)('%s can be used by everybody', async (_, view, ready) => {
    const { page, troubles, close } = await show(view, { theme })
    await page.locator(ready).first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await violations(page)).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })
})
