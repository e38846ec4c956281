import { z } from 'zod'
import { present } from '../../../base/index.ts'
import { ingestBody } from '../../../wire/index.ts'
import { PLAIN_TYPE, plainErrors } from '../../http/error-forms.ts'
import { recordOptionParameters, recordOptionsOf } from '../../ingest/record-options.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import { bodyPackings } from '../../http/unpack-stream.ts'
import { checked } from './ingest.ts'

function sum(all: IngestReport, next: IngestReport): IngestReport {
  return {
    accepted: all.accepted + next.accepted,
    rejected: all.rejected + next.rejected,
    errors: all.errors.length > 0 ? all.errors : next.errors,
  }
}

function reportText({ accepted, rejected, errors: [first] }: IngestReport): string {
  return first === undefined ? 'OK.\n' : `${accepted} stored, ${rejected} refused: ${first.reason}\n`
}

/** Ingest of journals in systemd's export format, of any length, stored part by part as they arrive. */
export const journalUploadRoute: AnyRoute = defineRoute({
  name: 'journalUpload',
  method: 'POST',
  path: '/upload',
  alsoAt: ['/insert/journald/upload'],
  summary: 'Store journal entries in the export format of journald',
  role: 'write',
  body: ingestBody,
  bodyTypes: ['application/vnd.fdo.journal', 'application/octet-stream'],
  bodyEncodings: bodyPackings,
  isIngest: true,
  ...plainErrors,
  inChunks: true,
  parameters: recordOptionParameters,
  answers: [{ status: 202, description: 'The entries are stored.', schema: z.string(), contentType: 'text/plain' }],
  isQuery: false,
  isAvailable: (context) => context.ingest !== undefined,
  handle: async ({ chunks, context, identity, headers, query }) => {
    const options = recordOptionsOf(headers, query)
    let report: IngestReport = { accepted: 0, rejected: 0, errors: [] }
    await present(chunks)(async (body, isLast) => {
      const request = { backend: identity.backend, table: 'logs', format: 'journal', options, body, isLast }
      const { leftBytes, ...next } = await present(context.ingest).ingest(request)
      report = sum(report, next)
      return leftBytes
    })
    return { status: 202, headers: { 'Content-Type': PLAIN_TYPE }, body: reportText(checked(report)) }
  },
})
