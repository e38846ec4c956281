import type { Browser, Page } from 'playwright-core'

/** A channel of a pixel may differ by this much of 255: the browser smooths the edges of letters as it likes. */
const CHANNEL_TOLERANCE = 40

/** Waits until a page with a query has its answer, and nothing is being read or drawn. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.query-bar .button.primary', { hasText: 'Run' }).waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))')
}

/** A picture of a settled page without what differs between two runs: times that things took. */
export async function picture(page: Page): Promise<Buffer> {
  await settled(page)
  return page.screenshot({ mask: [page.locator('.status'), page.locator('.measure')], caret: 'hide' })
}

/** Returns the number of pixels in which two pictures differ visibly; `Infinity` for pictures of other sizes. */
export async function differingPixels(browser: Browser, before: Buffer, after: Buffer): Promise<number> {
  const page = await browser.newPage()
  try {
    return await page.evaluate<number>(`(async () => {
      const pixels = async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const image = await createImageBitmap(new Blob([bytes]))
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
        context.drawImage(image, 0, 0)
        return context.getImageData(0, 0, image.width, image.height)
      }
      const [a, b] = await Promise.all([pixels('${before.toString('base64')}'), pixels('${after.toString('base64')}')])
      if (a.width !== b.width || a.height !== b.height) return Infinity
      let count = 0
      for (let i = 0; i < a.data.length; i += 4)
        if ([0, 1, 2].some((channel) => Math.abs(a.data[i + channel] - b.data[i + channel]) > ${CHANNEL_TOLERANCE})) count++
      return count
    })()`)
  } finally {
    await page.close()
  }
}
