import type { OtherLanguage } from '../../editor/index.ts'
import type { Dialect, QueryLanguage } from '../ask/requests.ts'

const loads: Readonly<Record<Exclude<QueryLanguage, Dialect>, () => Promise<OtherLanguage>>> = {
  traceql: async () => (await import('./traceql.ts')).traceql,
}

/** Loads the code of an additional language at first use. */
export function otherLanguage(name: keyof typeof loads): Promise<OtherLanguage> {
  return loads[name]()
}
