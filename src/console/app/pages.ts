import type { ComponentType } from 'preact'
import { texts } from './texts.ts'

/** A page of the console: one line here, one folder in `pages`. */
export interface Page {
  readonly id: string
  readonly title: string
  /** What its source must have: any, or a server. */
  readonly needs: 'any' | 'server'
  readonly load: () => Promise<ComponentType>
}

export const pages: readonly Page[] = [
  {
    id: 'logs',
    title: texts.pages.logs,
    needs: 'any',
    load: async () => (await import('../pages/search/search-page.tsx')).LogsPage,
  },
  {
    id: 'events',
    title: texts.pages.events,
    needs: 'server',
    load: async () => (await import('../pages/search/search-page.tsx')).EventsPage,
  },
  {
    id: 'traces',
    title: texts.pages.traces,
    needs: 'server',
    load: async () => (await import('../pages/traces/traces-page.tsx')).TracesPage,
  },
  {
    id: 'metrics',
    title: texts.pages.metrics,
    needs: 'server',
    load: async () => (await import('../pages/metrics/metrics-page.tsx')).MetricsPage,
  },
  {
    id: 'workloads',
    title: texts.pages.workloads,
    needs: 'server',
    load: async () => (await import('../pages/workloads/workloads-page.tsx')).WorkloadsPage,
  },
  {
    id: 'monitors',
    title: texts.pages.monitors,
    needs: 'server',
    load: async () => (await import('../pages/monitors/monitors-page.tsx')).MonitorsPage,
  },
  {
    id: 'silences',
    title: texts.pages.silences,
    needs: 'server',
    load: async () => (await import('../pages/silences/silences-page.tsx')).SilencesPage,
  },
  {
    id: 'policies',
    title: texts.pages.policies,
    needs: 'server',
    load: async () => (await import('../pages/policies/policies-page.tsx')).PoliciesPage,
  },
]
