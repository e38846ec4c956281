import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorOf } from '../../tools/site/html.ts'
import { withoutCode } from '../../tools/site/source.ts'
import { allPages, readPage, root } from './pages.ts'

/** Returns the relative links of a page that are broken. */
function deadLinks(path: string, text: string): readonly string[] {
  return Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter((target) => {
    if (/^https?:/.test(target)) return false
    const [file = '', anchor] = target.split('#')
    const linked = file === '' ? path : join(dirname(path), file)
    if (!existsSync(join(root, linked))) return true
    if (anchor === undefined) return false
    const headings = readFileSync(join(root, linked), 'utf8').matchAll(/^#+ (.*)$/gm)
    return !Array.from(headings, ([, heading = '']) => anchorOf(heading)).includes(anchor)
  })
}

const pages = [...allPages(), readPage('CONTRIBUTING.md'), readPage('CHANGELOG.md'), readPage('bench/README.md')]

test.each(pages.map((page) => [page.path, page.text] as const))('every link of %s leads to a page', (path, text) => {
  expect(deadLinks(path, text)).toEqual([])
})

test('every page is reached from docs/README.md', () => {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    if (!path.startsWith('docs/')) return
    for (const [, target = ''] of readPage(path).text.matchAll(/\]\(([^)#\s]+)/g))
      if (target.endsWith('.md') && !/^https?:/.test(target)) visit(join(dirname(path), target))
  }
  visit('docs/README.md')
  expect(allPages().filter(({ path }) => path.startsWith('docs/') && !reached.has(path))).toEqual([])
})

test('a link to a missing page or heading is found', () => {
  expect(deadLinks('docs/README.md', '[a](nowhere.md) [b](faq.md#nothing) [c](faq.md) `[d](x.md)`')).toEqual([
    'nowhere.md',
    'faq.md#nothing',
  ])
})
