import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

/** Difference of a colour channel, of 255, up to which two pixels count as equal. Font smoothing varies. */
const CHANNEL_TOLERANCE = 40

/** Script: whether all query editors show their colours. PromQL editors have them immediately. */
const IS_COLOURED = `[...document.querySelectorAll('.query-editor > div')]
  .map((host) => host.shadowRoot?.querySelector('.cm-content'))
  .filter((text) => text == null || !/^Expression/.test(text.ariaLabel) &&
    !text.querySelector('.cm-placeholder, [class*=tok-]') && text.textContent !== '').length === 0`

const FRAME = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))'

/** Waits until the page has finished loading, colouring and drawing. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(FRAME)
  const busy = page.locator(
    '[aria-busy=true], .query-bar .button:not(.primary):text-is("Cancel"), :text-is("Loading …"), .plot:empty',
  )
  await page.locator('#content > :not(h1)').first().waitFor({ state: 'attached' })
  await busy.first().waitFor({ state: 'detached' })
  // The page's content security policy blocks Playwright's own function for waiting in the page.
  while (!(await page.evaluate<boolean>(IS_COLOURED))) await page.evaluate(FRAME)
  await page.evaluate(FRAME)
}

/** Saves a screenshot in the folder of `SLUICE_PICTURES`, if that is set. */
export function keepPicture(name: string, png: Buffer): void {
  const folder = process.env['SLUICE_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.png`), png)
}

/** Script that replaces text that differs between runs: durations and random ids. */
const STEADY = `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    const isTimed = parentElement.closest('.status, .measure') !== null
    const text = (isTimed ? data.replace(/[\\d.]+ (ms|s)$/, '1 ms') : data).replace(/\\b[0-9a-f]{8}\\b/, '01234567')
    if (text !== data) texts.currentNode.data = text
  }
}`

/**
 * Returns a screenshot of a settled page, with durations and random ids replaced. Repeats until two screenshots are
 * equal.
 */
export async function picture(page: Page): Promise<Buffer> {
  await settled(page)
  let before: Buffer | undefined
  for (;;) {
    await page.evaluate(STEADY)
    const now = await page.screenshot({ caret: 'hide' })
    if (before?.equals(now) === true) return now
    before = now
    await page.evaluate(FRAME)
  }
}

/** Script that decodes a screenshot into pixels in the browser. */
const READER = `async (base64, scale = 1, filter = 'none') => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes]))
  const canvas = new OffscreenCanvas(image.width * scale, image.height * scale)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.filter = filter
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const { width, height } = canvas
  return { canvas, width, height, data: context.getImageData(0, 0, width, height).data }
}`

/** An empty page of each browser, in which screenshots are decoded. It closes with the browser. */
const decoders = new WeakMap<Browser, Promise<Page>>()

async function inBrowser<T>(browser: Browser, script: string): Promise<T> {
  const decoder = decoders.get(browser) ?? browser.newPage()
  decoders.set(browser, decoder)
  return (await decoder).evaluate<T>(`(async () => { const read = ${READER}\n${script} })()`)
}

/** Factor by which small screenshots are reduced in width and height. */
export const SMALL_SCALE = 4

/**
 * Difference of a grey value, of 255, up to which two pixels of small screenshots count as equal: the edge of a letter.
 */
const SMALL_TOLERANCE = 32

/** Returns a reduced grey version of a screenshot, which hardly depends on font smoothing. */
export async function small(browser: Browser, png: Buffer): Promise<Buffer> {
  const base64 = await inBrowser<string>(
    browser,
    `const { canvas } = await read('${png.toString('base64')}', ${1 / SMALL_SCALE}, 'grayscale(1)')
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))`,
  )
  return Buffer.from(base64, 'base64')
}

/** Returns the number of pixels in which two screenshots differ visibly; `Infinity` if their sizes differ. */
export async function differingPixels(browser: Browser, before: Buffer, after: Buffer): Promise<number> {
  if (before.equals(after)) return 0
  return inBrowser(
    browser,
    `const [a, b] = await Promise.all([read('${before.toString('base64')}'), read('${after.toString('base64')}')])
    if (a.width !== b.width || a.height !== b.height) return Infinity
    let count = 0
    for (let i = 0; i < a.data.length; i += 4)
      if ([0, 1, 2].some((channel) => Math.abs(a.data[i + channel] - b.data[i + channel]) > ${CHANNEL_TOLERANCE})) count++
    return count`,
  )
}

/**
 * Returns the number of pixels in which two small screenshots differ. A pixel counts as equal if the other screenshot
 * has its grey value at this or an adjacent position, so a shift by a few page pixels is ignored. `Infinity` if the
 * sizes differ.
 */
export async function differingParts(browser: Browser, before: Buffer, after: Buffer): Promise<number> {
  if (before.equals(after)) return 0
  return inBrowser(
    browser,
    `const [a, b] = await Promise.all([read('${before.toString('base64')}'), read('${after.toString('base64')}')])
    const { width, height } = a
    if (width !== b.width || height !== b.height) return Infinity
    const isBeside = (grey, { data }, x, y) => {
      let [least, most] = [255, 0]
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const other = data[4 * (row * width + column)]
          least = Math.min(least, other)
          most = Math.max(most, other)
        }
      return grey >= least - ${SMALL_TOLERANCE} && grey <= most + ${SMALL_TOLERANCE}
    }
    let count = 0
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const i = 4 * (y * width + x)
        if (!isBeside(a.data[i], b, x, y) || !isBeside(b.data[i], a, x, y)) count++
      }
    return count`,
  )
}
