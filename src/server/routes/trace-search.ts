import { traceSearch } from '../../wire/index.ts'
import { defineRoute } from './definition/route.ts'
import { readSearchBody } from '../search/search-body.ts'
import { answerSearch, isSearched, searchAnswers, rowParameters } from './search.ts'

export const traceSearchRoute = defineRoute({
  name: 'searchTraces',
  method: 'POST',
  path: '/api/traces/v2/search',
  summary: 'Search traces',
  role: 'read',
  body: traceSearch,
  readBody: readSearchBody(traceSearch),
  parameters: rowParameters,
  answers: searchAnswers,
  isQuery: true,
  isAvailable: isSearched('traces'),
  handle: (call) => answerSearch(call, 'traces'),
})
