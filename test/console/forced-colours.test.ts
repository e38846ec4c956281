// @module-tag slow
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { differingPixels, settled } from './pictures.ts'
import { openStocked, THEN, views, type StockedConsole } from './views.ts'

let open: StockedConsole
/** A page with forced colours; every test goes to its view there. */
let page: Page
beforeAll(async () => {
  open = await openStocked()
  page = (await open.open({ now: THEN })).page
  await page.emulateMedia({ forcedColors: 'active' })
})
afterAll(async () => open.close())

/** Pixels around an element that belong to its screenshot, because outlines are drawn there. */
const MARGIN = 4

/** Least number of pixels in which two states must differ: most of a minus sign. */
const LEAST_PIXELS = 5

async function pictureOf(page: Page, element: Locator): Promise<Buffer> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('the element is not shown')
  const clip = { x: box.x - MARGIN, y: box.y - MARGIN, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN }
  return page.screenshot({ clip: { ...clip, x: Math.max(0, clip.x), y: Math.max(0, clip.y) }, caret: 'hide' })
}

/** A change of an element's state that must be visible, and a selector of the elements to test. */
interface Change {
  readonly name: string
  readonly on: string
  /** Makes the change; a second call undoes it. */
  readonly toggle: (element: Element) => void
}

const changes: readonly Change[] = [
  {
    name: 'selected, pressed or current',
    on: '[aria-selected], [aria-pressed], [aria-current]',
    toggle: (element) => {
      for (const [name, on] of [
        ['aria-selected', 'true'],
        ['aria-pressed', 'true'],
        ['aria-current', 'page'],
      ] as const)
        if (element.hasAttribute(name)) element.setAttribute(name, element.getAttribute(name) === on ? 'false' : on)
    },
  },
  {
    name: 'disabled',
    on: 'button.button, button.quiet, select, input, textarea',
    toggle: (element) => element.toggleAttribute('disabled'),
  },
  {
    name: 'focused',
    on: ':is(button, a[href], select, input, textarea, summary, .query-editor, [tabindex="0"]):not(:disabled)',
    toggle: (element) => {
      // The code editor is in the shadow root of this element's first child.
      const editor = element.firstElementChild?.shadowRoot?.querySelector('.cm-content')
      const target = (editor ?? element) as HTMLElement
      if (element.matches(':focus-within')) target.blur()
      else target.focus()
    },
  },
  {
    name: 'drawn',
    on: '.bar, .swatch, .critical, .cost, .meter span, .dot, .share span, .lane rect, .sign, .sparkline rect, .histogram rect',
    toggle: (element) => {
      const { style } = element as HTMLElement
      style.visibility = style.visibility === '' ? 'hidden' : ''
    },
  },
]

/** Kinds of elements tested so far; one element of each kind is enough. */
const tried = new Set<string>()

/** Returns the first visible element of each kind that was not tested before. */
async function untried(page: Page, { name, on }: Change): Promise<readonly Locator[]> {
  const elements = page.locator(on)
  const kinds = await elements.evaluateAll((all) =>
    all.map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect()
      const isInView = width > 0 && x >= 0 && y >= 0 && y + height <= innerHeight
      if (!isInView || !each.checkVisibility({ contentVisibilityAuto: true })) return undefined
      return [each.tagName, each.getAttribute('class'), each.parentElement?.className].join(' ')
    }),
  )
  return kinds.flatMap((kind, i) => {
    if (kind === undefined || tried.has(`${name} ${kind}`)) return []
    tried.add(`${name} ${kind}`)
    return [elements.nth(i)]
  })
}

test.each(views)('states and data of $name can be told apart', async (view) => {
  await open.visit(page, view)
  await settled(page)
  expect(await violations(page)).toEqual([])
  // The browser shows the focus ring only after a key was pressed.
  await page.keyboard.press('Tab')
  await page.evaluate('document.activeElement?.blur()')
  const alike: string[] = []
  for (const change of changes)
    for (const element of await untried(page, change)) {
      const before = await pictureOf(page, element)
      await element.evaluate(change.toggle)
      const pixels = await differingPixels(open.browser, before, await pictureOf(page, element))
      if (pixels < LEAST_PIXELS)
        alike.push(`${change.name}: ${await element.evaluate((each) => each.outerHTML.slice(0, 120))}`)
      await element.evaluate(change.toggle)
    }
  expect(alike).toEqual([])
})

test.each(['lines', 'a heat map'])('the colours of %s differ', async (name) => {
  const view = views.find((each) => each.name === name)
  if (view === undefined) throw new Error(`there is no view ${name}`)
  await open.visit(page, view)
  await settled(page)
  const parts =
    name === 'lines' ? page.locator('.legend .swatch') : page.locator('.heat-view :is(.shade-0, .shade-3, .shade-7)')
  const colours = await parts.evaluateAll((all) =>
    all.map((each) => [each.className, getComputedStyle(each).backgroundColor]),
  )
  const kinds = name === 'lines' ? colours.length : new Set(colours.map(([shade]) => shade)).size
  expect(kinds).toBeGreaterThan(1)
  expect(new Set(colours.map(([, colour]) => colour)).size).toBe(kinds)
})
