import { present } from '../../../base/index.ts'
import { encodeExportResponse } from '../../../ingest/otlp/index.ts'
import { otlpAnswer, otlpAnswerBytes, otlpBody } from '../../../wire/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { PROTOBUF_TYPE, isJsonExport, otlpErrors } from '../../http/error-forms.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import { recordOptionParameters, recordOptionsOf } from '../../ingest/record-options.ts'
import { JSON_TYPE, json } from '../../http/respond.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { bodyPackings } from '../../http/unpack-stream.ts'

interface Signal {
  readonly name: string
  readonly path: string
  readonly table: 'logs' | 'spans' | 'samples'
  /** Prefix of the names of the decoders' formats. */
  readonly format: 'otlp' | 'otlp-metrics'
  /** Member of `partialSuccess` that counts rejected records. */
  readonly rejectedMember: string
}

function answer(signal: Signal, report: IngestReport, asJson: boolean): HttpAnswer {
  const message = report.errors.map(({ reason }) => reason).join('; ')
  if (!asJson) {
    const bytes = encodeExportResponse(report.rejected, message)
    return { status: 200, headers: { 'Content-Type': PROTOBUF_TYPE }, body: bytes }
  }
  if (report.rejected === 0) return json({})
  return json({ partialSuccess: { [signal.rejectedMember]: String(report.rejected), errorMessage: message } })
}

function otlpRoute(signal: Signal): AnyRoute {
  return defineRoute({
    name: signal.name,
    method: 'POST',
    path: signal.path,
    summary: `Store ${signal.table} sent by OTLP`,
    role: 'write',
    body: otlpBody,
    bodyTypes: [PROTOBUF_TYPE, JSON_TYPE],
    bodyEncodings: bodyPackings,
    isIngest: true,
    ...otlpErrors,
    answers: [
      {
        status: 200,
        description: 'All records are stored, except those that `partialSuccess` counts.',
        schema: otlpAnswer,
      },
      { status: 200, description: 'The same as protobuf.', schema: otlpAnswerBytes, contentType: PROTOBUF_TYPE },
    ],
    isQuery: false,
    isAvailable: (context) => context.ingest !== undefined,
    parameters: recordOptionParameters,
    handle: async ({ packed, context, identity, headers, query }) => {
      const asJson = isJsonExport(headers)
      const format = `${signal.format}-${asJson ? 'json' : 'protobuf'}`
      const request = {
        backend: identity.backend,
        table: signal.table,
        format,
        options: recordOptionsOf(headers, query),
        body: present(packed),
      }
      return answer(signal, await present(context.ingest).ingest(request), asJson)
    },
  })
}

/** The OTLP receiver, at the paths of the OTLP exporters. */
export const otlpRoutes: readonly AnyRoute[] = [
  otlpRoute({
    name: 'exportLogs',
    path: '/v1/logs',
    table: 'logs',
    format: 'otlp',
    rejectedMember: 'rejectedLogRecords',
  }),
  otlpRoute({
    name: 'exportTraces',
    path: '/v1/traces',
    table: 'spans',
    format: 'otlp',
    rejectedMember: 'rejectedSpans',
  }),
  otlpRoute({
    name: 'exportMetrics',
    path: '/v1/metrics',
    table: 'samples',
    format: 'otlp-metrics',
    rejectedMember: 'rejectedDataPoints',
  }),
]
