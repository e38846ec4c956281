import { ingestAnswer } from '../../../wire/index.ts'
import { json } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { agentRoute } from './agent-route.ts'
import { checked } from './ingest.ts'

/** Ingest of JSON lines at VictoriaLogs' path. */
export const insertLinesRoute: AnyRoute = agentRoute({
  name: 'insertJsonLines',
  path: '/insert/jsonline',
  summary: 'Store logs sent as JSON lines',
  format: 'ndjson',
  bodyTypes: ['application/stream+json', 'application/jsonl', 'application/x-ndjson', 'application/json', 'text/plain'],
  answers: [{ status: 200, description: 'Counts of accepted and rejected records.', schema: ingestAnswer }],
  answer: (report) => json(checked(report)),
})
