// @module-tag slow
import { expect, test } from 'vitest'
import { allPages } from './pages.ts'
import { isShown, runPage } from './run-page.ts'

test.each(allPages().map((page) => [page.path, page] as const))(
  'every block of %s runs as it says',
  async (_, page) => {
    expect(await runPage(page)).toEqual([])
  },
)

test('output that a page does not show is a fault', () => {
  expect(isShown('a\n…\nc …', 'a\nb\nb\nc 12\n')).toBe(true)
  expect(isShown('a\n…\nc …', 'a\nb\nd 12\n')).toBe(false)
  expect(isShown('a', 'a\nb')).toBe(false)
  expect(isShown('…', 'anything\nat all')).toBe(true)
})
