import type { HttpAnswer } from '../../http/answer.ts'
import type { ErrorForm } from '../../http/error-forms.ts'
import type { SearchService } from '../../search/service-interfaces.ts'
import { searchOf } from '../search.ts'
import { defineFormRoutes, type FormCall, type FormRoute } from './form-routes.ts'
import type { AnyRoute, RouteAnswer } from './route.ts'

/** Context of a handler of a read API over spans. */
export type SpanCall = FormCall<SearchService>

export interface SpanRoute extends Pick<
  FormRoute<SearchService>,
  'name' | 'path' | 'alsoAt' | 'summary' | 'parameters'
> {
  /** Answers by status and content type. The default status is 200. */
  readonly answers: readonly (Omit<RouteAnswer, 'status'> & Partial<RouteAnswer>)[]
  /** False if the route reads no rows. */
  readonly isQuery?: false
  /** True if there is also a POST route with a form body. */
  readonly hasForm?: true
  readonly handle: (call: SpanCall) => Promise<HttpAnswer>
}

/** Defines routes of a read API over spans, with errors in the format of its clients. */
export function defineSpanRoutes(errors: ErrorForm, route: SpanRoute): readonly AnyRoute[] {
  const { answers, isQuery = true, hasForm = false, ...rest } = route
  return defineFormRoutes({
    ...rest,
    ...errors,
    answers: answers.map((answer) => ({ status: 200, ...answer })),
    isQuery,
    hasForm,
    serviceOf: searchOf('traces'),
  })
}
