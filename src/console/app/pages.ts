import type { ComponentType } from 'preact'
import { texts } from './texts.ts'

/** A page of the console: one line here, one folder in `pages`. */
export interface Page {
  readonly id: string
  readonly title: string
  /** Data source that the page requires: any, or a server. */
  readonly needs: 'any' | 'server'
  readonly load: () => Promise<ComponentType>
}

function page(id: keyof typeof texts.pages, needs: Page['needs'], load: Page['load']): Page {
  return { id, title: texts.pages[id], needs, load }
}

export const pages: readonly Page[] = [
  page('logs', 'any', async () => (await import('../pages/search/search-page.tsx')).LogsPage),
  page('events', 'server', async () => (await import('../pages/search/search-page.tsx')).EventsPage),
  page('traces', 'server', async () => (await import('../pages/traces/traces-page.tsx')).TracesPage),
  page('metrics', 'server', async () => (await import('../pages/metrics/metrics-page.tsx')).MetricsPage),
  page('workloads', 'server', async () => (await import('../pages/workloads/workloads-page.tsx')).WorkloadsPage),
  page('monitors', 'server', async () => (await import('../pages/monitors/monitors-page.tsx')).MonitorsPage),
  page('silences', 'server', async () => (await import('../pages/silences/silences-page.tsx')).SilencesPage),
  page('policies', 'server', async () => (await import('../pages/policies/policies-page.tsx')).PoliciesPage),
]

/** Returns the page with an id; `undefined` if there is none. */
export function pageOf(id: string): Page | undefined {
  return pages.find((page) => page.id === id)
}
