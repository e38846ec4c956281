import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A channel of a pixel may differ by this much of 255: the browser smooths the edges of letters as it likes. */
const CHANNEL_TOLERANCE = 40

/** Texts of queries that have no colours yet; PromQL has them at once. */
const PLAIN = `[...document.querySelectorAll('.query-editor > div')]
  .map((host) => host.shadowRoot?.querySelector('.cm-content'))
  .filter((text) => text == null || !/^Expression/.test(text.ariaLabel) &&
    !text.querySelector('.cm-placeholder, [class*=tok-]') && text.textContent !== '').length`

const FRAME = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))'

/** Waits until nothing of a page is being read, coloured or drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(FRAME)
  const busy = page.locator(
    '[aria-busy=true], .query-bar .button:not(.primary):text-is("Cancel"), :text-is("Loading …")',
  )
  await page.locator('#content > :not(h1)').first().waitFor({ state: 'attached' })
  await expect.poll(() => busy.count()).toBe(0)
  await expect.poll(() => page.evaluate(PLAIN)).toBe(0)
  await page.evaluate(FRAME)
}

/** Replaces what differs between two runs: times that things took, and random ids. */
const STEADY = `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    const isTimed = parentElement.closest('.status, .measure') !== null
    const text = (isTimed ? data.replace(/[\\d.]+ (ms|s)$/, '1 ms') : data).replace(/\\b[0-9a-f]{8}\\b/, '01234567')
    if (text !== data) texts.currentNode.data = text
  }
}`

/** A picture of a settled page without what differs between two runs. */
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

/** Reads pictures in a page of a browser. */
const READER = `async (base64, width, filter) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes]))
  const scale = width === undefined ? 1 : width / image.width
  const canvas = new OffscreenCanvas(image.width * scale, image.height * scale)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.filter = filter ?? 'none'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return { canvas, ...{ width: canvas.width, height: canvas.height, data: context.getImageData(0, 0, canvas.width, canvas.height).data } }
}`

async function inBrowser<T>(browser: Browser, script: string): Promise<T> {
  const page = await browser.newPage()
  try {
    return await page.evaluate<T>(`(async () => { const read = ${READER}\n${script} })()`)
  } finally {
    await page.close()
  }
}

/** Returns a picture in grey with the given width in pixels. */
export async function reduced(browser: Browser, png: Buffer, width: number): Promise<Buffer> {
  const base64 = await inBrowser<string>(
    browser,
    `const { canvas } = await read('${png.toString('base64')}', ${width}, 'grayscale(1)')
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))`,
  )
  return Buffer.from(base64, 'base64')
}

/** Returns the number of pixels in which two pictures differ visibly; `Infinity` for pictures of other sizes. */
export async function differingPixels(
  browser: Browser,
  before: Buffer,
  after: Buffer,
  tolerance = CHANNEL_TOLERANCE,
): Promise<number> {
  if (before.equals(after)) return 0
  return inBrowser(
    browser,
    `const [a, b] = await Promise.all([read('${before.toString('base64')}'), read('${after.toString('base64')}')])
    if (a.width !== b.width || a.height !== b.height) return Infinity
    let count = 0
    for (let i = 0; i < a.data.length; i += 4)
      if ([0, 1, 2].some((channel) => Math.abs(a.data[i + channel] - b.data[i + channel]) > ${tolerance})) count++
    return count`,
  )
}
