import { gzipSync } from 'node:zlib'
import type { Attack, Sending } from '../attack.ts'

interface Body {
  readonly path?: string
  readonly type?: string
  readonly isGzip?: boolean
  readonly make: () => string | Buffer
}

const MIB = 2 ** 20

function sending({ type = 'application/x-ndjson', isGzip = false, make }: Body): Sending {
  const body = isGzip ? gzipSync(make()) : make()
  return { body, headers: { 'Content-Type': type, ...(isGzip && { 'Content-Encoding': 'gzip' }) } }
}

/** One body sent to be stored. */
const body = (name: string, about: Body): Attack => ({
  name: `body: ${name}`,
  leavesData: true,
  run: (caller) => caller.send(about.path ?? '/api/ingest/logs', sending(about)),
})

const lines = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n')

const time = '"_time":"2026-03-17T10:00:00Z"'
const metrics = { path: '/api/v1/import/prometheus', type: 'text/plain' }

/** Bodies that are small, or within their limit, and cost far more than they weigh. */
export const bodyAttacks: readonly Attack[] = [
  body('20 million {} in gzip', { isGzip: true, make: () => Buffer.alloc(60_000_000, '{}\n') }),
  body('one-letter text lines', { type: 'text/plain', make: () => Buffer.alloc(40 * MIB, 'a\n') }),
  body('number of a million digits', { make: () => `{${time},"n":${'7'.repeat(1_000_000)}}` }),
  body('row of 100,000 fields', {
    make: () => `{${time},${Array.from({ length: 100_000 }, (_, i) => `"f${i}":1`).join(',')}}`,
  }),
  body('100,000 new names', { make: () => lines(100_000, (i) => `{${time},"g${i}":1}`) }),
  body('line of 60 MB', { make: () => `{${time},"content":"${'x'.repeat(60_000_000)}"}` }),
  body('deep JSON', { make: () => `{${time},"a":${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}` }),
  body('500,000 labels', {
    ...metrics,
    make: () => `w{${Array.from({ length: 500_000 }, (_, i) => `l${i}="v"`).join(',')}} 1 1773741600000\n`,
  }),
  body('100,000 new series', {
    ...metrics,
    make: () => `${lines(100_000, (i) => `s{id="${i}"} 1 1773741600000`)}\n`,
  }),
]
