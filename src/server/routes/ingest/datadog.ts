import { intakeAnswer, intakeError, intakeKeyAnswer } from '../../../wire/index.ts'
import { json } from '../../http/respond.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import type { ErrorAnswer, ShapedError } from '../../errors/to-error-response.ts'
import { agentRoute, defaultsOf, forSenders } from './agent-route.ts'
import { checked } from './ingest.ts'

function shapeError(_: unknown, { status, headers, body }: ErrorAnswer): ShapedError {
  const fault = { status: String(status), title: body.type, detail: body.message }
  return { status, headers, body: { ...body, errors: [fault] } }
}

/** Datadog's log intake, version 2, and the route that validates a key. */
export const datadogRoutes: readonly AnyRoute[] = [
  agentRoute({
    name: 'intakeLogs',
    path: '/api/v2/logs',
    alsoAt: ['/v1/input', '/insert/datadog/api/v2/logs'],
    summary: 'Store logs sent to the Datadog intake, version 2',
    format: 'datadog',
    answers: [
      { status: 202, description: 'All records are stored, except those counted as rejected.', schema: intakeAnswer },
    ],
    errors: intakeError,
    shapeError,
    defaultFields: ({ query }) => defaultsOf(query, ['ddsource', 'ddtags', 'hostname', 'service']),
    answer: (report) => {
      const { rejected, errors } = checked(report)
      return json(rejected === 0 ? {} : { rejected, errors: errors.map(({ reason }) => reason) }, 202)
    },
  }),
  defineRoute({
    name: 'intakeKey',
    path: '/api/v1/validate',
    alsoAt: ['/insert/datadog/api/v1/validate'],
    method: 'GET',
    summary: 'Validate a key',
    ...forSenders,
    answers: [{ status: 200, description: 'The key is valid.', schema: intakeKeyAnswer }],
    errors: intakeError,
    shapeError,
    handle: () => Promise.resolve(json({ valid: true })),
  }),
]
