// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { KEY, NOW, openConsole, type Console } from './browser.ts'

const TRACE = 'accessible'

let open: Console
beforeAll(async () => {
  open = await openConsole()
  const span = { time: NOW.toISOString(), trace_id: TRACE, span_name: 'call', workload: 'api', duration_seconds: 1 }
  const spans = [
    { ...span, span_id: 'a', status: 'error' },
    { ...span, span_id: 'b', parent_span_id: 'a', status: 'ok', duration_seconds: 2 },
  ]
  await fetch(`${open.origin}/api/ingest/spans`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson' },
    body: spans.map((row) => JSON.stringify(row)).join('\n'),
  })
})
afterAll(async () => open.close())

const link = (params: Readonly<Record<string, string>>): string => `#/logs?${new URLSearchParams(params).toString()}`

/** Views by what must be there before they are checked. */
const views: readonly (readonly [name: string, view: string, ready: string])[] = [
  ['rows', link({ q: 'level:error' }), '.rows .row:not(.header) .message'],
  ['a row', link({ q: 'level:error', row: '1' }), '.detail .field'],
  ['a table', link({ q: '* | stats by (workload) count() n' }), 'table.groups tbody tr'],
  ['lines', link({ q: '* | stats by (_time:5m, level) count() n' }), '.legend li'],
  ['bars', link({ q: '* | stats by (workload) count() n', form: 'bars' }), '.bars-view .bar'],
  ['a heat map', link({ q: '* | stats by (_time:5m, level) count() n', form: 'heat' }), '.heat-view td'],
  ['a number', link({ q: '* | stats count() n' }), '.number-view .big'],
  ['patterns', link({ q: 'level:error', form: 'patterns' }), '.patterns tbody tr'],
  ['a comparison', link({ q: 'level:error', form: 'compare' }), '.compare tbody tr'],
  ['the plan', link({ q: 'level:error', form: 'explain' }), '.plan .step'],
  ['an error', link({ q: 'level:error | limt 5' }), '.failure .fixes'],
  ['nothing found', link({ q: 'nosuchword' }), '.empty'],
  ['an unknown page', '#/nosuch', '.empty'],
  ['traces', '#/traces?q=status:error', '.traces tbody tr'],
  ['a trace', `#/traces?trace=${TRACE}&span=b`, '.span-detail .field'],
  ['logs of a trace', `#/traces?trace=${TRACE}&side=logs`, '.trace-logs .note'],
  ['a missing trace', '#/traces?trace=nosuch', '.empty .button'],
  ['a graph', '#/metrics?a=up&b=raet(up[5m])', '.legend li'],
  ['a table of metrics', '#/metrics?a=up&form=table', '.instant tbody tr'],
  ['workloads', '#/workloads', '.workloads tbody tr'],
]

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(views)('%s can be used by everybody', async (_, view, ready) => {
    for (const width of [390, 1280]) {
      const { page, close } = await open.open({ theme, view, width })
      await page.locator(ready).first().waitFor()
      expect(await violations(page)).toEqual([])
      await close()
    }
  })
})
