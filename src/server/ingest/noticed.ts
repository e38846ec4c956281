import { recordNotices } from '../../ingest/index.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { IngestReport } from './decoder.ts'
import { headerOf } from './record-options.ts'

/** Maximum length of the header, characters; it may contain text from the sender. */
const MAX_NOTICE_CHARS = 500

/** Adds the header `X-Sluice-Notice` if some stored records had no readable time. */
export function noticed(answer: HttpAnswer, report: IngestReport): HttpAnswer {
  const notices = recordNotices(report, (word, value) => `${headerOf(word)}: ${value}`)
  if (notices.length === 0) return answer
  const text = notices
    .join(' ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, MAX_NOTICE_CHARS)
  return { ...answer, headers: { ...answer.headers, 'X-Sluice-Notice': text } }
}
