// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { differingParts, keepPicture, picture, small } from './pictures.ts'
import { THEN, openStocked, type StockedConsole } from './views.ts'

let open: StockedConsole
beforeAll(async () => {
  open = await openStocked()
})
afterAll(async () => open.close())

/** Number of drawn states; `SLUICE_LINKS=500` draws more. `SLUICE_LINKS_FROM=25` starts with another state. */
const STATES = Number(process.env['SLUICE_LINKS'] ?? 40)
const FIRST = Number(process.env['SLUICE_LINKS_FROM'] ?? 0)

const queries = [
  '',
  'level:error',
  'timeout',
  '* | stats by (workload) count() n',
  '* | stats by (_time:10m) count() n',
]
const froms = ['now-15m', 'now-1h', 'now-6h', '2026-03-10T11:00', 'nonsense']

/** Values of the URL parameters of each page. The empty string omits the parameter. */
const rows = {
  q: queries,
  form: ['', 'table', 'bars', 'heat', 'explain', 'patterns', 'compare', 'nosuch'],
  from: froms,
  rows: ['', '100', '1000'],
  cols: ['', 'namespace', 'pod,status'],
  row: ['', '', '3', '99999'],
  dialect: ['', '', 'logsql'],
}

const expressions = ['', 'up', 'sum by (workload) (rate(http_requests_total[5m]))', 'raet(up)', 'nosuch_metric']

function pagesOf({ monitor, policy, silence, trace }: StockedConsole['ids']) {
  return [
    ['logs', rows],
    [
      'logs',
      {
        ...rows,
        q: ['', '{namespace="shop"}', 'sum by (workload) (count_over_time({namespace="shop"}[5m]))', '{nosuch'],
        dialect: ['logql'],
      },
    ],
    ['events', rows],
    [
      'traces',
      {
        q: ['', 'status:error', '* | stats count() n', 'nosuch'],
        from: froms,
        sort: ['', 'longest', 'errors', 'nosuch'],
        dialect: ['', '', 'logsql'],
      },
    ],
    [
      'traces',
      {
        q: ['', '{ status = error }', '{ nosuch', '{} | rate()'],
        from: froms,
        sort: ['', 'longest', 'errors', 'nosuch'],
        dialect: ['traceql'],
      },
    ],
    [
      'traces',
      {
        trace: [trace, trace, 'nosuch'],
        from: ['', 'now-6h', 'nonsense'],
        span: ['', 'b', 'nosuch'],
        side: ['', 'logs', 'none'],
        depth: ['', '1'],
        zoom: ['', '100-900', 'nosuch'],
        match: ['', 'a', 'nosuch'],
      },
    ],
    [
      'metrics',
      {
        a: expressions,
        b: expressions,
        from: froms,
        step: ['', '1m', 'nosuch'],
        form: ['', 'table'],
        exemplars: ['', 'off'],
      },
    ],
    [
      'workloads',
      {
        q: ['', 'namespace:shop', 'podsCount:>1 |', 'nosuch'],
        sort: ['', 'workload', '-podsCount', 'nosuch'],
        page: ['', '1', 'x'],
      },
    ],
    [
      'monitors',
      { q: ['', 'errors', 'nosuch'], state: ['', 'firing', 'nosuch'], sort: ['', 'title', '-title', 'nosuch'] },
    ],
    ['monitors', { id: [monitor, monitor, 'nosuch'], edit: ['', 'form', 'yaml', 'json', 'nosuch'] }],
    ['monitors', { new: ['form', 'yaml', 'json'] }],
    [
      'silences',
      { q: ['', 'shop', 'nosuch'], state: ['', 'active', 'expired', 'nosuch'], id: ['', '', silence, 'nosuch'] },
    ],
    ['silences', { new: ['form'], labels: ['', '{"workload":"shop"}', 'nonsense'] }],
    ['silences', { id: [silence, 'nosuch'], edit: ['form'] }],
    ['policies', { q: ['', 'shop', 'nosuch'], sort: ['', 'name', '-users', 'nosuch'] }],
    ['policies', { id: [policy, 'nosuch'], edit: ['', 'form', 'json'] }],
    ['policies', { new: ['form', 'json'] }],
  ] as const
}

function generated(seed: number, ids: StockedConsole['ids']): string {
  // Consecutive seeds first draw similar numbers, so they are multiplied to differ more.
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1) >>> 0)
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
  // A page with more parameters has more states, so it is drawn more often.
  const [page, values] = pick(pagesOf(ids).flatMap((each) => Object.keys(each[1]).map(() => each)))
  const params = Object.entries<readonly string[]>(values).map(([name, each]) => [name, pick(each)])
  return `#/${page}?${new URLSearchParams(params.filter(([, value]) => value !== '')).toString()}`
}

/** Returns views for which this test once found a difference. */
function onceDifferent({ trace }: StockedConsole['ids']): readonly string[] {
  return ['b', 'nosuch'].map((span) => `#/traces?trace=${trace}&span=${span}`)
}

/** Largest number of pixels of a small screenshot that may differ: one or two letters. */
const MAX_PIXELS = 10

test(
  'a view that is opened from its link looks like the one that made the link',
  async () => {
    const used = await open.open({ now: THEN })
    // Leaving an unchanged form must not ask for confirmation. If it does, dismissing the dialog keeps the old view,
    // and the test fails.
    used.page.on('dialog', (dialog) => void dialog.dismiss())
    const differing: string[] = []
    const drawn = Array.from({ length: STATES }, (_, i) => generated(FIRST + i, open.ids))
    for (const [i, view] of [...onceDifferent(open.ids), ...drawn].entries()) {
      await used.page.evaluate(`location.hash = ${JSON.stringify(view)}`)
      const fresh = await open.open({ view, now: THEN })
      const [before, after] = await Promise.all([picture(used.page), picture(fresh.page)])
      const [a, b] = await Promise.all([small(open.browser, before), small(open.browser, after)])
      const pixels = await differingParts(open.browser, a, b)
      if (pixels > MAX_PIXELS) {
        differing.push(`${i} ${view}: ${pixels} pixels`)
        keepPicture(`link-${i}-reached`, before)
        keepPicture(`link-${i}-opened`, after)
      }
      await fresh.close()
    }
    expect(differing).toEqual([])
    expect(used.troubles).toEqual([])
    await used.close()
  },
  20 * 60_000,
)
