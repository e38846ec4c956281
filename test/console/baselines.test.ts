// @module-tag slow
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { differingParts, picture, small, SMALL_SCALE } from './pictures.ts'
import { openStocked, views, type StockedConsole } from './views.ts'

/**
 * Folder of small grey screenshots of the pages. They reveal a missing or misplaced part, but not different font
 * smoothing or a shift by a pixel. `UPDATE_GOLDEN=1` writes them. The tests are skipped on machines with other fonts,
 * which draw other screenshots.
 */
const FOLDER = join(import.meta.dirname, 'baselines')
const isUpdating = process.env['UPDATE_GOLDEN'] === '1'

/** Height of the pages in pixels. */
const HEIGHT = 800

/** Largest share of a small screenshot's pixels that may differ, in thousandths: a few words. */
const MAX_PER_MILLE = 4

const shown: readonly (readonly [name: string, width: number, theme: 'light' | 'dark'])[] = [
  ['rows', 1280, 'light'],
  ['a row', 390, 'dark'],
  ['a table', 390, 'light'],
  ['lines', 1280, 'dark'],
  ['bars', 390, 'light'],
  ['patterns', 1280, 'light'],
  ['events', 390, 'dark'],
  ['traces', 1280, 'dark'],
  ['a trace', 1280, 'light'],
  ['a graph', 390, 'light'],
  ['workloads', 1280, 'light'],
  ['a monitor', 1280, 'dark'],
  ['silences', 390, 'light'],
  ['policies', 1280, 'light'],
  ['the form of a monitor', 390, 'dark'],
]

let open: StockedConsole
let hasOurFonts = false

/** Returns the widths in pixels of a sample text in the fonts of the page, to recognize the fonts. */
async function fontWidths(page: Page): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>(`['--mono', ''].map((name) => {
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    const style = getComputedStyle(document.documentElement)
    context.font = '100px ' + (name === '' ? style.fontFamily : style.getPropertyValue(name))
    return Math.round(context.measureText('Sluice 0123').width)
  })`)
}

beforeAll(async () => {
  open = await openStocked()
  const { page, close } = await open.open()
  const file = join(FOLDER, 'fonts.json')
  const widths = await fontWidths(page)
  await close()
  if (isUpdating) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, `[${widths.join(', ')}]\n`)
  }
  hasOurFonts = readFileSync(file, 'utf8').trim() === `[${widths.join(', ')}]`
})
afterAll(async () => open.close())

function fileOf(name: string): string {
  return join(FOLDER, `${name.replaceAll(' ', '-')}.png`)
}

/**
 * Returns the share of a view's small screenshot that differs from its baseline, in thousandths. `change` is a style
 * sheet added to the page first.
 */
async function differing(name: string, width: number, theme: 'light' | 'dark', change = ''): Promise<number> {
  const view = views.find((each) => each.name === name)
  if (view === undefined) throw new Error(`there is no view ${name}`)
  const { page, close } = await open.show(view, { width, height: HEIGHT, theme })
  if (change !== '')
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      document.adoptedStyleSheets.push(sheet)
    }, change)
  const now = await small(open.browser, await picture(page))
  await close()
  if (isUpdating && change === '') writeFileSync(fileOf(name), now)
  if (!existsSync(fileOf(name))) throw new Error(`${name} has no baseline; UPDATE_GOLDEN=1 writes it`)
  const pixels = await differingParts(open.browser, readFileSync(fileOf(name)), now)
  return (1000 * pixels) / ((width / SMALL_SCALE) * (HEIGHT / SMALL_SCALE))
}

test.for(shown)('%s, %i pixels wide, %s, looks as before', async ([name, width, theme], { skip }) => {
  skip(!hasOurFonts, 'the fonts are others')
  expect(await differing(name, width, theme)).toBeLessThan(MAX_PER_MILLE)
})

test.for([
  ['the bars of the toolbar are not in a row', 'rows', '.toolbar { display: block }'],
  ['a chart is missing', 'lines', '.time-chart canvas { display: none }'],
  ['the list of fields is missing', 'rows', '.facets[popover] { display: none }'],
  ['letters are larger', 'traces', ':root { font-size: 16px }'],
  ['a colour is wrong', 'a trace', ':root { --surface: #ddd }'],
] as const)('a page on which %s is found', async ([, name, change], { skip }) => {
  skip(!hasOurFonts, 'the fonts are others')
  const [, width = 0, theme = 'light'] = shown.find(([each]) => each === name) ?? []
  expect(await differing(name, width, theme, change)).toBeGreaterThan(MAX_PER_MILLE)
})
