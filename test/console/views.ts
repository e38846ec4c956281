import type { Page } from 'playwright-core'
import { KEY, NOW, openConsole, type Console, type Opened, type OpenOptions } from './browser.ts'

/** A view of the console that shows data. */
export interface View {
  readonly name: string
  /** URL fragment, or a function that returns it from the ids of the stored objects. */
  readonly link: string | ((ids: Ids) => string)
  /** Selector that matches once the view has its answer. */
  readonly ready: string
}

interface Ids {
  readonly monitor: string
  readonly policy: string
  readonly silence: string
  readonly trace: string
}

/** A console whose server holds the demo data, a firing monitor, silences, a policy and a trace. */
export interface StockedConsole extends Console {
  readonly ids: Ids
  /** Opens a view and waits until it is ready. */
  readonly show: (view: View, options?: OpenOptions) => Promise<Opened>
  /** Goes to a view on an open page, which takes a fraction of the time of `show`, and waits until it is ready. */
  readonly visit: (page: Page, view: View) => Promise<void>
}

/** Time of the pages: one minute after the demo data, when the monitor has been evaluated. */
export const THEN = new Date(NOW.getTime() + 60_000)

const TRACE = 'stocked'

const found = (params: Readonly<Record<string, string>>): string => `#/logs?${new URLSearchParams(params).toString()}`
const rate = 'sum by (workload) (rate(http_requests_total[5m]))'
const counts = '* | stats by (_time:5m, level) count() n'

export const views: readonly View[] = [
  { name: 'rows', link: found({ q: 'level:error' }), ready: '.rows .row:not(.header) .message:not(.faint)' },
  { name: 'a row', link: found({ q: 'level:error', row: '1' }), ready: '.detail .field' },
  { name: 'a table', link: found({ q: '* | stats by (workload) count() n' }), ready: 'table.groups tbody tr' },
  { name: 'lines', link: found({ q: counts }), ready: '.legend li' },
  { name: 'bars', link: found({ q: '* | stats by (workload) count() n', form: 'bars' }), ready: '.bars-view .bar' },
  { name: 'a heat map', link: found({ q: counts, form: 'heat' }), ready: '.heat-view td' },
  { name: 'a number', link: found({ q: '* | stats count() n' }), ready: '.number-view .big' },
  { name: 'patterns', link: found({ q: 'level:error', form: 'patterns' }), ready: '.patterns .sparkline' },
  { name: 'a comparison', link: found({ q: 'level:error', form: 'compare' }), ready: '.compare tbody tr' },
  { name: 'the plan', link: found({ q: 'level:error', form: 'explain' }), ready: '.plan .step' },
  { name: 'an error', link: found({ q: 'level:error | limt 5' }), ready: '.failure .fixes' },
  { name: 'nothing found', link: found({ q: 'nosuchword' }), ready: '.empty' },
  { name: 'an unknown page', link: '#/nosuch', ready: '.empty' },
  {
    name: 'an entry of LogQL',
    link: found({ dialect: 'logql', q: '{namespace="shop"} |= "failed"', row: '1' }),
    ready: '.detail .field',
  },
  { name: 'an error of LogQL', link: found({ dialect: 'logql', q: '{namespace="shop"' }), ready: '.failure .place' },
  { name: 'events', link: '#/events?from=now-6h', ready: '.rows .row:not(.header) .message:not(.faint)' },
  { name: 'traces', link: '#/traces?q=status:error', ready: '.traces tbody tr' },
  {
    name: 'traces by TraceQL',
    link: `#/traces?${new URLSearchParams({ dialect: 'traceql', q: '{ status = error }' }).toString()}`,
    ready: '.traces tbody tr',
  },
  {
    name: 'an error of TraceQL',
    link: `#/traces?${new URLSearchParams({ dialect: 'traceql', q: '{ stauts = error }' }).toString()}`,
    ready: '.failure .fixes',
  },
  { name: 'spans of a query', link: `#/traces?trace=${TRACE}&match=a`, ready: '.row.span.matched' },
  { name: 'a trace', link: `#/traces?trace=${TRACE}&span=b`, ready: '.span-detail .field' },
  { name: 'logs of a trace', link: `#/traces?trace=${TRACE}&side=logs`, ready: '.trace-logs .note' },
  { name: 'a missing trace', link: '#/traces?trace=nosuch', ready: '.empty .button' },
  {
    name: 'a graph',
    link: `#/metrics?${new URLSearchParams({ a: rate, b: 'raet(up[5m])' }).toString()}`,
    ready: '.legend li',
  },
  { name: 'a table of metrics', link: '#/metrics?a=up&form=table', ready: '.instant tbody tr' },
  { name: 'workloads', link: '#/workloads', ready: '.workloads tbody tr' },
  { name: 'monitors', link: '#/monitors', ready: '.resources tbody tr' },
  { name: 'a monitor', link: ({ monitor }) => `#/monitors?id=${monitor}`, ready: '.legend li' },
  {
    name: 'the form of a monitor',
    link: ({ monitor }) => `#/monitors?id=${monitor}&edit=form`,
    ready: '.form-section',
  },
  { name: 'silences', link: '#/silences', ready: '.card' },
  { name: 'the form of a silence', link: '#/silences?new=form', ready: '.form-section' },
  { name: 'policies', link: '#/policies', ready: '.resources tbody tr' },
  { name: 'a policy', link: ({ policy }) => `#/policies?id=${policy}`, ready: '.seen dd' },
  { name: 'the form of a policy', link: ({ policy }) => `#/policies?id=${policy}&edit=form`, ready: '.form-section' },
]

const at = (minutes: number): string => new Date(NOW.getTime() + minutes * 60_000).toISOString()

const model = {
  queries: [{ name: 'q', dataType: 'logs', expression: 'level:error | stats by (workload) count() as n' }],
  thresholds: [{ name: 'many', inputName: 'q', operator: 'gt', values: [2] }],
}

const span = { trace_id: TRACE, span_name: 'call', workload: 'api', time: at(0) }

async function send(origin: string, kind: string, rows: readonly object[]): Promise<void> {
  const sent = await fetch(`${origin}/api/ingest/${kind}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson' },
    body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  })
  if (!sent.ok) throw new Error(`the server refused rows: ${await sent.text()}`)
}

/** Opens a console with data for every view. */
export async function openStocked(): Promise<StockedConsole> {
  const open = await openConsole({ hasAlerting: true })
  await send(open.origin, 'spans', [
    { ...span, span_id: 'a', status: 'error', duration_seconds: 1 },
    { ...span, span_id: 'b', parent_span_id: 'a', status: 'ok', duration_seconds: 2 },
  ])
  const failed = { level: 'error', workload: 'shop-window', message: 'failed' }
  await send(
    open.origin,
    'logs',
    [0.1, 0.2, 0.3].map((minutes) => ({ ...failed, time: at(minutes) })),
  )
  const create = async (path: string, body: object): Promise<Readonly<Record<string, string>>> =>
    (await open.call('POST', path, body)) as Readonly<Record<string, string>>
  const monitor = { title: 'Errors', evaluationInterval: { interval: '1m' }, model }
  const { monitorId = '' } = await create('/api/monitors', monitor)
  await create('/api/monitors', { ...monitor, title: 'Errors that nobody looks at', isPaused: true })
  const silence = (comment: string, from: number, to: number) => ({
    comment,
    startsAt: at(from),
    endsAt: at(to),
    matchers: [{ name: 'workload', type: 0, value: 'shop-window' }],
  })
  const { id = '' } = await create('/api/monitors/silences', silence('The shop is moved.', -60, 180))
  await create('/api/monitors/silences', silence('The next move.', 600, 660))
  const dataScope = { simple: { conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] } }
  const policy = { name: 'shop', description: 'Rows of the shop.', role: { read: '' }, dataScope }
  const { uuid = '' } = await create('/api/rbac/policy/create', policy)
  await open.call('POST', '/test/clock', { now: THEN.toISOString() })
  const ids = { monitor: monitorId, policy: uuid, silence: id, trace: TRACE }
  const linkOf = ({ link }: View): string => (typeof link === 'string' ? link : link(ids))
  const shown = (page: Page, { ready }: View): Promise<void> =>
    page.locator(ready).first().waitFor({ state: 'attached' })
  return {
    ...open,
    ids,
    show: async (view, options = {}) => {
      const opened = await open.open({ now: THEN, ...options, view: linkOf(view) })
      await shown(opened.page, view)
      return opened
    },
    visit: async (page, view) => {
      await page.evaluate((link) => (location.hash = link), linkOf(view))
      await shown(page, view)
    },
  }
}
