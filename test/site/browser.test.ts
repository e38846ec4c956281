// @module-tag slow
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../console/axe.ts'
import { launch, watched } from '../console/browser.ts'
import { PATIENCE_MS } from '../harness/patience.ts'
import { build, serve, varies, type Built } from './built.ts'

let site: Built
let server: Awaited<ReturnType<typeof serve>>
let browser: Browser
beforeAll(async () => {
  site = await build()
  server = await serve(site.folder)
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await server.close()
  site.remove()
})

interface Opened {
  readonly page: Page
  readonly troubles: readonly string[]
  readonly close: () => Promise<void>
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const troubles = watched(page, server.origin)
  await page.goto(`${server.origin}/${path}`)
  if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-ready]')
  return { page, troubles, close: () => context.close() }
}

const block = (page: Page, id: string) => page.locator(`#${id}`)

/** Waits until a block has run and its status shows the elapsed time. */
async function ended(page: Page, id: string): Promise<void> {
  await expect.poll(() => block(page, id).locator('.status').textContent()).toMatch(/^\d+ ms$/)
}

test('the thread of the page answers every query as its page prints it', async () => {
  const { page, troubles, close } = await open('index.html')
  const worker = await page.locator('script[data-worker]').getAttribute('data-worker')
  const blocks = site.blocks.map(({ run }) => run.block)
  const answers = await page.evaluate(
    async ([address, asked]) => {
      const thread = new Worker(address ?? '', { type: 'module' })
      const waiting = new Map<number, (reply: unknown) => void>()
      thread.addEventListener('message', ({ data }: MessageEvent<{ id: number }>) => waiting.get(data.id)?.(data))
      const answers: unknown[] = []
      // Run them one after another, because each has a time limit.
      for (const [id, request] of asked.entries())
        answers.push(
          await new Promise<unknown>((done) => {
            waiting.set(id, done)
            // A worker has no origin that could be another one.
            // oxlint-disable-next-line unicorn/require-post-message-target-origin
            thread.postMessage({ kind: 'call', id, method: 'run', request })
          }),
        )
      return answers
    },
    [worker, blocks] as const,
  )
  const expected = site.blocks.map(({ run }, id) => ({ kind: 'answer', id, answer: run.answer }))
  const compared = (list: readonly unknown[]): unknown =>
    // JSON drops members without a value, which only one of the two answers contains.
    JSON.parse(JSON.stringify(list.filter((_, id) => !varies(blocks[id]?.query ?? ''))))
  expect(answers).toHaveLength(blocks.length)
  expect(compared(answers)).toEqual(compared(expected))
  expect(troubles).toEqual([])
  await close()
})

describe('a query', () => {
  test('runs by its button, and shows its answer and its plan', async () => {
    const { page, troubles, close } = await open('docs/language.html')
    const before = await block(page, 'q4').locator('.answer').textContent()
    await block(page, 'q4').getByRole('button', { name: 'Run' }).click()
    await ended(page, 'q4')
    expect(await block(page, 'q4').locator('.answer').textContent()).toBe(before)
    expect(await block(page, 'q4').locator('.plan pre').textContent()).toContain('scan logs')
    expect(troubles).toEqual([])
    await close()
  })

  test('is edited and run with the keyboard alone, and set back', async () => {
    const { page, troubles, close } = await open('docs/language.html')
    await block(page, 'q1').getByRole('button', { name: 'Edit' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('#q1 .cm-content').waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('* | stats count() as rows ')
    await page.keyboard.press('ControlOrMeta+Enter')
    await ended(page, 'q1')
    expect(await block(page, 'q1').locator('.answer').textContent()).toBe('{"rows":5}')
    const link = await block(page, 'q1').getByRole('link', { name: 'Link' }).getAttribute('href')
    expect(link).toBe('/manual/docs/language.html?block=q1&query=*+%7C+stats+count%28%29+as+rows+#q1')
    await block(page, 'q1').getByRole('button', { name: 'Reset' }).press('Enter')
    expect(await page.locator('#q1 .cm-content').textContent()).toBe('level:error connection | fields service, content')
    expect(troubles).toEqual([])
    await close()
  })

  test('with a mistake shows it, and a fix runs the query mended', async () => {
    const { page, troubles, close } = await open('diagnostics/log/unknown-pipe.html')
    await block(page, 'q1').getByRole('button', { name: 'Run' }).click()
    await ended(page, 'q1')
    expect(await block(page, 'q1').locator('mark').textContent()).toBe('stat')
    await block(page, 'q1').getByRole('button', { name: 'Write stats' }).click()
    await expect.poll(() => block(page, 'q1').locator('.answer').textContent()).toContain('payments')
    expect(await block(page, 'q1').locator('.diagnostics').count()).toBe(0)
    expect(troubles).toEqual([])
    await close()
  })

  test.each([
    '<img src=x onerror="document.title=1"> | limit 1',
    '"</code></pre><script>document.title=1</script>"',
    '* | format "javascript:document.title=1" as x',
  ])('of a link is text, and runs in the engine when the reader asks: %s', async (query) => {
    const address = new URLSearchParams({ block: 'q2', query, files: '../../secret' })
    const { page, troubles, close } = await open(`docs/language.html?${address.toString()}#q2`)
    expect(await block(page, 'q2').locator('.text code').textContent()).toBe(query)
    expect(await block(page, 'q2').locator('.text code > *').count()).toBe(0)
    expect(await block(page, 'q2').locator('.answer').count()).toBe(0)
    expect(await block(page, 'q2').locator('.status').textContent()).toContain('is from a link')
    expect(page.workers()).toEqual([])
    await block(page, 'q2').getByRole('button', { name: 'Run' }).click()
    await ended(page, 'q2')
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toBe('The language, step by step · Sluice')
    expect(troubles).toEqual([])
    await close()
  })

  test('that a link gives for no block of the page changes nothing', async () => {
    const { page, troubles, close } = await open('docs/language.html?block=q999&query=x')
    expect(await page.getByText('is from a link').count()).toBe(0)
    expect(troubles).toEqual([])
    await close()
  })
})

describe('search', () => {
  test('finds a section, and leads there with the keyboard', async () => {
    const { page, troubles, close } = await open('docs/send/curl.html')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const input = page.getByRole('searchbox')
    expect(asked).toEqual([])
    await input.focus()
    await page.keyboard.type('unknown pipe')
    await page.locator('.found a').first().waitFor()
    expect(asked.some((url) => url.endsWith(site.search))).toBe(true)
    expect(await page.locator('.found a').first().getAttribute('href')).toBe('../../diagnostics/log/unknown-pipe.html')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/diagnostics/log/unknown-pipe.html')
    expect(troubles).toEqual([])
    await close()
  })

  test('says when there is nothing, and Escape closes it', async () => {
    const { page, close } = await open('index.html')
    await page.getByRole('searchbox').fill('zzzzqqqq')
    await page.getByText('Nothing is found').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('.found').isVisible()).toBe(false)
    await close()
  })
})

test('a page is readable without scripts', async () => {
  const { page, close } = await open('docs/language.html', { javaScriptEnabled: false })
  expect(await block(page, 'q1').locator('.text').isVisible()).toBe(true)
  expect(await block(page, 'q1').locator('.answer').isVisible()).toBe(true)
  expect(await block(page, 'q1').locator('.plan pre').isVisible()).toBe(true)
  expect(await page.getByRole('searchbox').count()).toBe(0)
  await page.getByRole('navigation').getByRole('link', { name: 'Pipes' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Pipes')
  await close()
})

const shown = [
  'index.html',
  'docs/language.html',
  'docs/coming-from/sql.html',
  'docs/limits.html',
  'grammar/reference/functions.html',
  'diagnostics/log/unknown-pipe.html',
  'diagnostics/README.html',
]

describe.each([
  { width: 1280, colorScheme: 'light', forcedColors: 'none' },
  { width: 1280, colorScheme: 'dark', forcedColors: 'none' },
  { width: 390, colorScheme: 'light', forcedColors: 'none' },
  { width: 390, colorScheme: 'dark', forcedColors: 'active' },
] as const)('at $width px, $colorScheme, forced colours $forcedColors', ({ width, colorScheme, forcedColors }) => {
  test.each(shown)('%s is accessible, and no wider than the screen', async (path) => {
    const { page, troubles, close } = await open(path, { viewport: { width, height: 900 }, colorScheme, forcedColors })
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(troubles).toEqual([])
    await close()
  })

  test('an open editor and open results are accessible', async () => {
    const options = { viewport: { width, height: 900 }, colorScheme, forcedColors }
    const { page, troubles, close } = await open('diagnostics/log/unknown-pipe.html', options)
    await block(page, 'q1').getByRole('button', { name: 'Run' }).click()
    await ended(page, 'q1')
    await block(page, 'q1').getByRole('button', { name: 'Edit' }).click()
    await page.locator('#q1 .cm-content').waitFor()
    await page.getByRole('searchbox').fill('stats')
    await page.locator('.found a').first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })
})
