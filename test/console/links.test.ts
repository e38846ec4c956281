// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { openConsole, type Console } from './browser.ts'
import { differingPixels, picture } from './pictures.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

/** States that are drawn and opened; `SLUICE_LINKS=500` draws more, at most two in a second. */
const STATES = Number(process.env['SLUICE_LINKS'] ?? 25)

const queries = [
  '',
  'level:error',
  'timeout',
  '* | stats by (workload) count() n',
  '* | stats by (_time:10m) count() n',
]
const forms = ['', 'table', 'bars', 'heat', 'explain', 'patterns', 'compare', 'nosuch']
const froms = ['now-15m', 'now-1h', 'now-6h', '2026-03-10T11:00', 'nonsense']

function generated(seed: number): string {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
  const params = {
    q: pick(queries),
    form: pick(forms),
    from: pick(froms),
    rows: pick(['', '100', '1000']),
    cols: pick(['', 'namespace', 'pod,status']),
    row: pick(['', '', '3', '99999']),
    dialect: pick(['', '', 'logsql']),
  }
  const said = Object.entries(params).filter(([, value]) => value !== '')
  return `#/${pick(['logs', 'logs', 'logs', 'events'])}?${new URLSearchParams(said).toString()}`
}

/** Pixels of a picture that may differ: a letter or two. */
const MAX_PIXELS = 200

test(
  'a view that is opened from its link looks like the one that made the link',
  async () => {
    const used = await open.open()
    const differing: string[] = []
    for (let seed = 0; seed < STATES; seed++) {
      const view = generated(seed)
      await used.page.evaluate(`location.hash = ${JSON.stringify(view)}`)
      const fresh = await open.open({ view })
      // The colours of a text come when the language is loaded.
      const coloured = '.query-editor .cm-content [class*=tok-]'
      if (view.includes('q=')) for (const { page } of [used, fresh]) await page.locator(coloured).first().waitFor()
      const [before, after] = await Promise.all([picture(used.page), picture(fresh.page)])
      const pixels = await differingPixels(open.browser, before, after)
      if (pixels > MAX_PIXELS) differing.push(`${view}: ${pixels} pixels`)
      await fresh.close()
    }
    expect(differing).toEqual([])
    expect(used.troubles).toEqual([])
    await used.close()
  },
  20 * 60_000,
)
