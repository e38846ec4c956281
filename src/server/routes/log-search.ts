import { logSearch } from '../../wire/index.ts'
import { defineRoute } from './definition/route.ts'
import { readSearchBody } from '../search/search-body.ts'
import { answerSearch, isSearched, searchAnswers, rowParameters } from './search.ts'

export const logSearchRoute = defineRoute({
  name: 'searchLogs',
  method: 'POST',
  path: '/api/logs/v2/search',
  summary: 'Search logs',
  role: 'read',
  body: logSearch,
  readBody: readSearchBody(logSearch),
  parameters: rowParameters,
  answers: searchAnswers,
  isQuery: true,
  isAvailable: isSearched('logs'),
  handle: (call) => answerSearch(call, 'logs'),
})
