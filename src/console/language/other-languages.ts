import type { Dialect, QueryLanguage } from '../ask/requests.ts'
import type { PageLanguage } from './page-language.ts'

const loads: Readonly<Record<Exclude<QueryLanguage, Dialect>, () => Promise<PageLanguage>>> = {
  logql: async () => (await import('./logql.ts')).logql,
  traceql: async () => (await import('./traceql.ts')).traceql,
}

/** Returns a query language other than the log language. Its code is loaded at the first use. */
export function otherLanguage(name: keyof typeof loads): Promise<PageLanguage> {
  return loads[name]()
}
