import type { CallContext, GoList } from '../../../functions/go-template/index.ts'
import type { TemplateData } from '../data.ts'

/** Context of template functions besides their arguments. */
export interface AlertContext extends CallContext {
  readonly data: TemplateData
  /** Returns the answer to a query. Throws to interrupt the expansion if the query has not been run yet. */
  readonly query: (text: string) => GoList
}
