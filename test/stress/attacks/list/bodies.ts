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

/** Returns an attack that ingests one body. */
const body = (name: string, about: Body): Attack => ({
  name: `body: ${name}`,
  leavesData: true,
  run: (caller) => caller.send(about.path ?? '/api/ingest/logs', sending(about)),
})

const lines = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n')

const time = '"_time":"2026-03-17T10:00:00Z"'
const bulk = { path: '/_bulk' }
const events = { path: '/services/collector/event', type: 'application/json' }
const intake = { path: '/api/v2/logs', type: 'application/json' }
const journal = { path: '/upload', type: 'application/vnd.fdo.journal' }
const metrics = { path: '/api/v1/import/prometheus', type: 'text/plain' }

/** Attacks with bodies that are small, or within their limit, but very expensive to process. */
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
  body('a million actions', { ...bulk, make: () => '{"create":{}}\n{"a":1}\n'.repeat(1_000_000 - 1) }),
  body('a million actions that are all refused otherwise', {
    ...bulk,
    make: () => lines(500_000, (i) => `{"index":{"_index":"i${i}"}}\n{"a":${'x'.repeat(i % 50)}`),
  }),
  body('an action of 60 MB', { ...bulk, make: () => `{"create":{"_index":"${'x'.repeat(60_000_000)}"}}\n{}\n` }),
  body('three million events', { ...events, make: () => '{"event":"x"}'.repeat(3_000_000) }),
  body('events without end', { ...events, make: () => '{"event":'.repeat(5_000_000) }),
  body('three million logs', { ...intake, make: () => `[${'{"message":1},'.repeat(3_000_000)}{"message":1}]` }),
  body('a log of a million tags', {
    ...intake,
    make: () => JSON.stringify({ message: 'x', ddtags: lines(1_000_000, (i) => `t${i}:1`).replaceAll('\n', ',') }),
  }),
  body('a million entries', { ...journal, make: () => 'A=1\n\n'.repeat(10_000_000) }),
  body('a field of 4 GB', { ...journal, make: () => Buffer.from('A\n\0\0\0\0\u0001\0\0\0x\n\n', 'latin1') }),
  body('a name without end', { ...journal, make: () => 'A'.repeat(60_000_000) }),
  body('an entry without end', { ...journal, make: () => 'A=1\n'.repeat(15_000_000) }),
  body('500,000 labels', {
    ...metrics,
    make: () => `w{${Array.from({ length: 500_000 }, (_, i) => `l${i}="v"`).join(',')}} 1 1773741600000\n`,
  }),
  body('100,000 new series', {
    ...metrics,
    make: () => `${lines(100_000, (i) => `s{id="${i}"} 1 1773741600000`)}\n`,
  }),
]
