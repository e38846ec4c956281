// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { openConsole, type Console } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

const link = (params: Readonly<Record<string, string>>): string => `#/logs?${new URLSearchParams(params).toString()}`

/** Views by what must be there before they are checked. */
const views: readonly (readonly [name: string, view: string, ready: string])[] = [
  ['rows', link({ q: 'level:error' }), '.rows .row:not(.header) .message'],
  ['a row', link({ q: 'level:error', row: '1' }), '.detail .field'],
  ['a table', link({ q: '* | stats by (workload) count() n' }), 'table.groups tbody tr'],
  ['lines', link({ q: '* | stats by (_time:5m, level) count() n' }), '.legend li'],
  ['bars', link({ q: '* | stats by (workload) count() n', form: 'bars' }), '.bars-view .bar'],
  ['a heat map', link({ q: '* | stats by (_time:5m, level) count() n', form: 'heat' }), '.heat-view td'],
  ['a number', link({ q: '* | stats count() n' }), '.number-view .big'],
  ['patterns', link({ q: 'level:error', form: 'patterns' }), '.patterns tbody tr'],
  ['a comparison', link({ q: 'level:error', form: 'compare' }), '.compare tbody tr'],
  ['the plan', link({ q: 'level:error', form: 'explain' }), '.plan .step'],
  ['an error', link({ q: 'level:error | limt 5' }), '.failure .fixes'],
  ['nothing found', link({ q: 'nosuchword' }), '.empty'],
  ['an unknown page', '#/nosuch', '.empty'],
]

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(views)('%s can be used by everybody', async (_, view, ready) => {
    for (const width of [390, 1280]) {
      const { page, close } = await open.open({ theme, view, width })
      await page.locator(ready).first().waitFor()
      expect(await violations(page)).toEqual([])
      await close()
    }
  })
})
