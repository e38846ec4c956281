import { present } from '../../../base/index.ts'
import { ingestAnswer, ingestBody } from '../../../wire/index.ts'
import { fault } from '../../errors/http-fault.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import { jsonTables } from '../../ingest/decoders/index.ts'
import { noticed } from '../../ingest/noticed.ts'
import { recordOptionParameters, recordOptionsOf } from '../../ingest/record-options.ts'
import { json } from '../../http/respond.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { bodyPackings } from '../../http/unpack-stream.ts'

/** Accepted content types. The format is detected from the body's bytes, except for CSV and TSV. */
const BODY_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/stream+json',
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
] as const

/** Throws if a body has records but none of them could be stored. */
export function checked(report: IngestReport): IngestReport {
  const [first] = report.errors
  if (report.accepted > 0 || first === undefined) return report
  const { line, reason, excerpt = '' } = first
  throw fault('nothing-accepted', { rejected: report.rejected, line, reason, excerpt })
}

function ingestRoute(table: (typeof jsonTables)[number]): AnyRoute {
  return defineRoute({
    name: `ingest${table.charAt(0).toUpperCase()}${table.slice(1)}`,
    method: 'POST',
    path: `/api/ingest/${table}`,
    summary: `Store ${table}`,
    role: 'write',
    body: ingestBody,
    bodyTypes: BODY_TYPES,
    bodyEncodings: bodyPackings,
    isIngest: true,
    answers: [
      {
        status: 200,
        description: 'Counts of accepted and rejected records; accepted ones are stored and can be searched.',
        schema: ingestAnswer,
      },
    ],
    isQuery: false,
    isAvailable: (context) => context.ingest !== undefined,
    parameters: recordOptionParameters,
    handle: async ({ packed, context, identity, headers, query }) => {
      const contentType = headers.get('content-type')
      const request = {
        backend: identity.backend,
        table,
        contentType,
        options: recordOptionsOf(headers, query),
        body: present(packed),
      }
      const report = checked(await present(context.ingest).ingest(request))
      return noticed(json(report), report)
    },
  })
}

/** An ingest route for each kind of JSON records. */
export const ingestRoutes: readonly AnyRoute[] = jsonTables.map(ingestRoute)
