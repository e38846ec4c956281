/**
 * The longest turn of the event loop, in processor time, that a hostile body causes in the thread that accepts
 * requests, with and without workers. `npm run bench -- coordinator`
 */
import { createServer, type SluiceServer } from '../../src/server/index.ts'

interface Body {
  readonly path: string
  readonly type: string
  readonly text: string
  /** The number of requests at the same moment; 1 by default. */
  readonly times?: number
}

const KEY = 'key-of-the-bench'
const CHUNK_BYTES = 65_536
const time = '"_time":"2026-03-17T10:00:00Z"'
const logs = { path: '/api/ingest/logs', type: 'application/x-ndjson' }
const json = 'application/json'
const silence = (patterns: number): Body => ({
  path: '/api/monitors/silences',
  type: json,
  text: JSON.stringify({
    startsAt: '2026-01-01T00:00:00Z',
    endsAt: '2036-01-01T00:00:00Z',
    matchers: Array.from({ length: patterns }, (_, i) => ({ name: `n${i}`, value: `(a|b)*${i}`, isRegex: true })),
  }),
})
const metrics = { path: '/api/v1/import/prometheus', type: 'text/plain' }

const joined = (count: number, separator: string, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator)

const bodies: Readonly<Record<string, () => Body>> = {
  '100,000 new names': () => ({ ...logs, text: joined(100_000, '\n', (i) => `{${time},"g${i}":1}`) }),
  '100,000 new series': () => ({
    ...metrics,
    text: `${joined(100_000, '\n', (i) => `s{id="${i}"} 1 1773741600000`)}\n`,
  }),
  'row of 100,000 fields': () => ({ ...logs, text: `{${time},${joined(100_000, ',', (i) => `"f${i}":1`)}}` }),
  'line of 60 MB': () => ({ ...logs, text: `{${time},"content":"${'x'.repeat(60_000_000)}"}` }),
  'one-letter lines': () => ({ ...logs, type: 'text/plain', text: 'a\n'.repeat(1_900_000) }),
  'a million entries': () => ({
    path: '/upload',
    type: 'application/vnd.fdo.journal',
    text: 'A=1\n\n'.repeat(900_000),
  }),
  '60 MB of a journal': () => ({
    path: '/upload',
    type: 'application/vnd.fdo.journal',
    text: 'A=1\nB=22222222222222222222\n\n'.repeat(2_000_000),
  }),
  'silence of 100 patterns': () => silence(100),
  '32 silences of 100 patterns': () => ({ ...silence(100), times: 32 }),
  'silence of 4,000 patterns': () => silence(4000),
  'list of monitors by 200 regexps': () => ({
    path: '/api/monitors/list',
    type: json,
    text: JSON.stringify({ query: joined(200, ' or ', (i) => `title:~"a*${i}"`) }),
  }),
  '500,000 labels': () => ({ ...metrics, text: `w{${joined(500_000, ',', (i) => `l${i}="v"`)}} 1 1773741600000\n` }),
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Returns a body as a stream of pieces, as a socket delivers it. */
function streamOf(text: string): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      await turn()
      if (at >= bytes.length) return controller.close()
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + CHUNK_BYTES)))
      at += CHUNK_BYTES
      return undefined
    },
  })
}

function post(path: string, type: string, body: string | ReadableStream<Uint8Array>): Request {
  const init = { method: 'POST', headers: { Authorization: KEY, 'Content-Type': type }, body, duplex: 'half' as const }
  return new Request(`http://localhost${path}`, init)
}

/** Returns the processor milliseconds of the longest turn while the body is ingested and its rows are queried. */
async function longestTurnMs(server: SluiceServer, { path, type, text, times = 1 }: Body): Promise<number> {
  const requests = Array.from({ length: times }, () => post(path, type, streamOf(text)))
  const done = new AbortController()
  let longestMs = 0
  const watch = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const before = process.threadCpuUsage()
      await turn()
      const { user, system } = process.threadCpuUsage(before)
      longestMs = Math.max(longestMs, (user + system) / 1000)
    }
  }
  const watching = watch()
  await Promise.all(requests.map(async (request) => (await server.fetch(request)).text()))
  const question = { query: '* | stats count() n', start: '2026-01-01T00:00:00Z', end: '2026-12-01T00:00:00Z' }
  await (await server.fetch(post('/api/logs/v2/search', 'application/json', JSON.stringify(question)))).text()
  done.abort()
  await watching
  return longestMs
}

const servers = [await createServer({ keys: [KEY] }), await createServer({ keys: [KEY], workers: 1 })]
print(`${'longest turn, ms of processor time'.padEnd(36)}${'0 workers'.padStart(12)}${'1 worker'.padStart(12)}`)
for (const [name, make] of Object.entries(bodies)) {
  const body = make()
  const found: number[] = []
  for (const server of servers) found.push(await longestTurnMs(server, body))
  print(`${name.padEnd(36)}${found.map((ms) => ms.toFixed(1).padStart(12)).join('')}`)
}
await Promise.all(servers.map((server) => server.close()))
