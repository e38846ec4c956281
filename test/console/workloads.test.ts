// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY, NOW, openConsole, type Console } from './browser.ts'

/** Number of workloads: more than one page of the list holds. */
const MANY = 120

let open: Console
beforeAll(async () => {
  open = await openConsole()
  const workloads = Array.from({ length: MANY }, (_, i) => ({
    time: NOW.toISOString(),
    uid: `many-${i}`,
    workload: `worker-${String(i).padStart(3, '0')}`,
    namespace: 'batch',
    cluster: 'spare',
    kind: 'Job',
    ready: i !== 7,
    podsCount: i,
  }))
  const response = await fetch(`${open.origin}/api/ingest/workloads`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson' },
    body: workloads.map((row) => `${JSON.stringify(row)}\n`).join(''),
  })
  expect(response.status).toBe(200)
})
afterAll(async () => open.close())

const params = (hash: string): URLSearchParams => new URLSearchParams(new URL(hash).hash.split('?')[1])
const filtered = (filter: string): string => `#/workloads?q=${encodeURIComponent(filter)}`

test('workloads are listed with their clusters, and lead to their rows', async () => {
  const { page, troubles, close } = await open.open({ view: filtered('workload:=payments') })
  await page.getByRole('link', { name: 'Traces of payments' }).waitFor()
  expect(await page.locator('.cluster-card .link').allTextContents()).toEqual(['eu-staging', 'eu-west'])
  expect(await page.locator('.status').textContent()).toBe('1 workload')
  await page.getByRole('link', { name: 'Logs of payments' }).click()
  await page.waitForSelector('.rows .row .cell.message')
  expect(params(page.url()).get('q')).toBe('workload:="payments" namespace:="payments" cluster:="eu-west"')
  expect(troubles).toEqual([])
  await close()
})

test('a workload leads to its traces', async () => {
  const { page, close } = await open.open({ view: filtered('workload:=payments') })
  await page.getByRole('link', { name: 'Traces of payments' }).click()
  await page.waitForSelector('table.traces tbody tr')
  await close()
})

test('the server sorts and pages the list', async () => {
  const { page, close } = await open.open({ view: filtered('cluster:=spare') })
  const names = page.locator('.workloads tbody .name')
  await names.first().waitFor()
  await page.getByRole('button', { name: 'Workload', exact: true }).click()
  await expect.poll(() => names.first().textContent()).toBe('worker-000')
  await page.getByRole('button', { name: 'Pods' }).click()
  await page.getByRole('button', { name: 'Pods' }).click()
  await expect.poll(() => names.first().textContent()).toBe('worker-119')
  await page.getByRole('navigation').getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => names.count()).toBe(20)
  expect(await names.first().textContent()).toBe('worker-019')
  expect([...params(page.url())]).toEqual([
    ['q', 'cluster:=spare'],
    ['sort', '-podsCount'],
    ['page', '1'],
  ])
  expect(await page.locator('td.col-ready.fault').allTextContents()).toEqual(['no'])
  await close()
})

test('a cluster narrows the filter, and a bad filter is mended by its fix', async () => {
  const { page, close } = await open.open({ view: filtered('podsCount:>1 |') })
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.locator('.workloads tbody tr').first().waitFor()
  await page.getByRole('button', { name: 'eu-west' }).click()
  await expect.poll(() => params(page.url()).get('q')).toMatch(/^podsCount:>1 cluster:="eu-west" ?$/)
  await expect.poll(() => page.locator('.workloads td.col-cluster').first().textContent()).toBe('eu-west')
  await close()
  const nothing = await open.open({ view: filtered('workload:=nothing') })
  await nothing.page.getByRole('button', { name: 'Show all workloads' }).click()
  await expect.poll(() => nothing.page.locator('.workloads tbody tr').count()).toBe(100)
  await nothing.close()
})
