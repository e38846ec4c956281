// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { openStocked, views, type StockedConsole } from './views.ts'

let open: StockedConsole
beforeAll(async () => {
  open = await openStocked()
})
afterAll(async () => open.close())

test.each(views)('$name can be used by everybody, in both themes and at both widths', async (view) => {
  for (const width of [390, 1280]) {
    const { page, close } = await open.show(view, { width })
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await violations(page), `${theme}, ${width} px`).toEqual([])
    }
    await close()
  }
})
