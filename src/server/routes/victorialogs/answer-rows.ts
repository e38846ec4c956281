import { ENTRY_BYTES } from '../../../base/index.ts'
import { toText, type Row } from '../../../data/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { writtenJson } from '../../http/respond.ts'
import { ROWS_READ_HEADER, warningHeaders } from '../../search/row-array.ts'
import type { SearchAnswer } from '../../search/service-interfaces.ts'
import type { SelectCall } from './define-select-routes.ts'

/** Returns the value of a field as text; empty if missing. */
export function textIn(row: Row, name: string): string {
  return toText(row.get(name) ?? null)
}

/** Returns the memory of an entry with a text, bytes. */
export function entryBytes(text: string): number {
  return ENTRY_BYTES + text.length * 2
}

/** Returns a JSON answer from chunks. It is complete before its first byte is sent. */
export async function writtenAnswer(
  { context, memory }: SelectCall,
  answer: SearchAnswer,
  fill: (write: (chunk: string) => void) => Promise<void>,
): Promise<HttpAnswer> {
  const written = await writtenJson({ memory, limitBytes: context.limits.answerBytes }, fill)
  const read = answer.statistics?.().scannedRows
  const headers = {
    ...(await warningHeaders(answer)),
    ...(read === undefined ? {} : { [ROWS_READ_HEADER]: String(read) }),
  }
  return { ...written, headers: { ...written.headers, ...headers } }
}

/** Answers with JSON text, then a list, then JSON text. */
export function listAnswer(
  call: SelectCall,
  [before, after]: readonly [string, string],
  answer: SearchAnswer,
  fill: (add: (item: string) => void) => Promise<void>,
): Promise<HttpAnswer> {
  return writtenAnswer(call, answer, async (write) => {
    let separator = before
    await fill((item) => {
      write(separator + item)
      separator = ','
    })
    write(separator === before ? before + after : after)
  })
}
