// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { READ_KEY, openConsole, type Console, type Opened, type OpenOptions } from './browser.ts'

let open: Console

interface Stored {
  readonly uuid: string
  readonly name: string
  readonly description: string
  readonly dataScope: object
  readonly revisionNumber: number
}

const shop = { conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] }

async function create(name: string, dataScope: object = { simple: shop }): Promise<string> {
  const body = { name, description: `The policy ${name}.`, role: { read: '' }, dataScope }
  return ((await open.call('POST', '/api/rbac/policy/create', body)) as Stored).uuid
}

const read = async (id: string): Promise<Stored> => (await open.call('GET', `/api/rbac/policy/${id}`)) as Stored

beforeAll(async () => {
  open = await openConsole()
  await create('shop')
})
afterAll(async () => open.close())

async function show(view: string, options: OpenOptions = {}): Promise<Opened> {
  const opened = await open.open({ view, ...options })
  opened.page.on('dialog', (dialog) => void dialog.accept())
  opened.page.setDefaultTimeout(5000)
  return opened
}

test('the list says what each policy shows, and who is signed in', async () => {
  const { page, troubles, close } = await show('#/policies')
  await page.locator('.resources tbody tr').first().waitFor()
  expect(await page.locator('tr', { hasText: 'Administrator' }).textContent()).toContain('everything')
  expect(await page.locator('tr', { hasText: 'The policy shop.' }).textContent()).toContain('namespace is “shop”')
  expect(await page.getByRole('region', { name: 'You' }).textContent()).toContain('read, write, admin')
  await page.getByLabel('Find policies').fill('shop')
  await expect.poll(() => page.locator('.resources tbody tr').count()).toBe(1)
  await expect.poll(() => page.url()).toContain('q=shop')
  expect(troubles).toEqual([])
  await close()
})

test('a policy shows how many rows its users see, and is given to users', async () => {
  const id = await create('given')
  const { page, troubles, close } = await show(`#/policies?id=${id}`)
  const logs = page.locator('.seen > div', { hasText: 'Logs' })
  await logs.getByText(/^[\d,]+ of [\d,]+ rows$/).waitFor()
  const [visible = 0, all = 0] =
    ((await logs.textContent()) ?? '').match(/[\d,]{2,}/g)?.map((text) => Number(text.replaceAll(',', ''))) ?? []
  expect(visible).toBeGreaterThan(0)
  expect(visible).toBeLessThan(all)
  await page.getByLabel('E-mail addresses').fill('bob@example.com, eve@example.com')
  await page.getByRole('button', { name: 'Give to users' }).click()
  await page.getByText('Given to bob@example.com, eve@example.com.').waitFor()
  const listed = (await open.call('GET', '/api/rbac/policies/list')) as readonly (Stored & { entityCount: number })[]
  expect(listed.find(({ uuid }) => uuid === id)?.entityCount).toBe(2)
  expect(troubles).toEqual([])
  await close()
})

describe('the form', () => {
  test('creates a policy, and counts what it shows while it is written', async () => {
    const { page, troubles, close } = await show('#/policies?new=form')
    await page.getByLabel('Name', { exact: true }).fill('payments')
    await page.getByRole('button', { name: '+ Condition' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Field').fill('namespace')
    await page.getByRole('button', { name: '+ Comparison' }).click()
    await page.getByLabel('Value').fill('payments')
    await page.locator('.seen').getByText('namespace is “payments”').first().waitFor()
    await page.getByLabel('Operator').selectOption('regex')
    await page.getByLabel('Value').fill('(')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.form-list .field-faults').first().waitFor()
    await page.getByLabel('Operator').selectOption('match')
    await page.getByLabel('Value').fill('payments')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'payments' }).waitFor()
    const id = /id=([\w-]+)/.exec(page.url())?.[1] ?? ''
    expect(await read(id)).toMatchObject({
      dataScope: { simple: { conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'payments' }] }] } },
    })
    expect(troubles).toEqual([])
    await close()
  })

  test('a concurrent revision is explained, and unsaved input is kept', async () => {
    const id = await create('two hands')
    const { page, close } = await show(`#/policies?id=${id}&edit=form`)
    await page.getByLabel('Description').fill('mine')
    await open.call('PUT', `/api/rbac/policy/${id}`, { name: 'two hands', claimRole: 'theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed this policy').waitFor()
    await page.getByText('They changed: claimRole. You changed: description.').waitFor()
    await page.getByRole('button', { name: 'Load theirs, keep mine as text' }).click()
    expect(await page.getByLabel('Role of the identity provider').inputValue()).toBe('theirs')
    expect(await page.getByLabel('Your version, kept as text').inputValue()).toContain('"description": "mine"')
    await page.getByLabel('Description').fill('both')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Delete' }).waitFor()
    expect(await read(id)).toMatchObject({ description: 'both', claimRole: 'theirs', revisionNumber: 3 })
    await close()
  })

  test('a built-in policy cannot be changed, and a key without the role changes none', async () => {
    const builtIn = await show('#/policies?id=5a1ce000-0000-4000-8000-000000000003&edit=form')
    await builtIn.page.getByText('This policy is built in.').waitFor()
    expect(await builtIn.page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
    await builtIn.close()
    const reader = await show('#/policies', { key: READ_KEY })
    await reader.page.getByText('ann@example.com').first().waitFor()
    expect(await reader.page.getByRole('link', { name: 'New policy' }).count()).toBe(0)
    await reader.close()
  })
})

test('an administrator sees the keys, with their last request and without their secrets', async () => {
  const { page, troubles, close } = await show('#/policies')
  const rows = page.getByRole('region', { name: 'Keys' }).locator('tbody tr')
  await rows.first().waitFor()
  const found = await rows.allTextContents()
  expect(found.some((row) => row.includes('read, write, admin') && /\d\d:\d\d/.test(row))).toBe(true)
  expect(await page.content()).not.toContain(READ_KEY)
  expect(troubles).toEqual([])
  await close()
  const reader = await show('#/policies', { key: READ_KEY })
  await reader.page.getByText('ann@example.com').first().waitFor()
  expect(await reader.page.getByRole('region', { name: 'Keys' }).count()).toBe(0)
  await reader.close()
})

test('a policy is deleted after a question', async () => {
  const id = await create('short-lived')
  const { page, close } = await show(`#/policies?id=${id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('Users who have no other policy see nothing then.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.locator('.resources tbody tr').first().waitFor()
  await expect(read(id)).rejects.toThrow('policy')
  await close()
})

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each([
    ['the list', '#/policies', '.resources tbody tr'],
    ['a policy', '#/policies?id=5a1ce000-0000-4000-8000-000000000003', '.seen'],
    ['the form', '#/policies?new=form', '.form-part'],
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
