import type { CallContext, GoList } from '../../../functions/go-template/index.ts'
import type { TemplateData } from '../data.ts'

/** Everything that a function of alerting may read besides its arguments. */
export interface AlertContext extends CallContext {
  readonly data: TemplateData
  /** Returns the answer to a query; throws to interrupt the expansion if the query has not run yet. */
  readonly query: (text: string) => GoList
}
