import { parseArgs } from 'node:util'
import { launch } from '../../test/console/browser.ts'
import { build, serve } from '../../test/site/built.ts'

/**
 * Times the first query of a reader who opens the documentation for the first time: from the request for the page to the
 * answer of a query that is run at once, in ms. Each run has a browser context of its own, so nothing is cached.
 */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '7' } } })

/** The longest time that a reader may wait for the first answer, in ms. */
const LIMIT_MS = 2_000

const pages = ['index.html', 'docs/language.html', 'diagnostics/log/unknown-pipe.html']

const startMs = performance.now()
const site = await build()
console.log(
  `${site.pages.length} pages with ${site.blocks.length} queries built in ${Math.round(performance.now() - startMs)} ms`,
)
const { origin, close } = await serve(site.folder)
const browser = await launch()
try {
  for (const path of pages) {
    const times: number[] = []
    for (let run = 0; run < Number(values.runs); run++) {
      const context = await browser.newContext()
      const page = await context.newPage()
      const beganMs = performance.now()
      await page.goto(`${origin}/${path}`)
      await page.locator('#q1 .run').click()
      await page.locator('#q1 .status', { hasText: /^\d+ ms$/ }).waitFor()
      times.push(performance.now() - beganMs)
      await context.close()
    }
    const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN
    const longest = Math.max(...times)
    const verdict = longest <= LIMIT_MS ? 'within' : 'BEYOND'
    console.log(
      `${path.padEnd(40)} first answer ${Math.round(median)} ms, longest ${Math.round(longest)} ms: ${verdict} ${LIMIT_MS} ms`,
    )
    if (longest > LIMIT_MS) process.exitCode = 1
  }
} finally {
  await browser.close()
  await close()
  site.remove()
}
