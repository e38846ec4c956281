// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { openStocked, views, type StockedConsole } from './views.ts'

let open: StockedConsole
beforeAll(async () => {
  open = await openStocked()
})
afterAll(async () => open.close())

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(views)('$name can be used by everybody', async (view) => {
    for (const width of [390, 1280]) {
      const { page, close } = await open.show(view, { theme, width })
      expect(await violations(page)).toEqual([])
      await close()
    }
  })
})
