import { eventSearch } from '../../wire/index.ts'
import { defineRoute } from './definition/route.ts'
import { readSearchBody } from '../search/search-body.ts'
import { answerSearch, isSearched, searchAnswers, rowParameters } from './search.ts'

export const eventSearchRoute = defineRoute({
  name: 'searchEvents',
  method: 'POST',
  path: '/api/k8s/v2/events/search',
  summary: 'Search Kubernetes events',
  role: 'read',
  body: eventSearch,
  readBody: readSearchBody(eventSearch),
  parameters: rowParameters,
  answers: searchAnswers,
  isQuery: true,
  isAvailable: isSearched('events'),
  handle: (call) => answerSearch(call, 'events'),
})
