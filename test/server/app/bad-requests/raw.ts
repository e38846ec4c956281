import { connect } from 'node:net'
import { listen, type App } from '../../../../src/server/index.ts'
import { PATIENCE_MS } from '../../../harness/patience.ts'
import { KEY } from '../../harness/harness.ts'
import { faultsOf, type MatrixReport } from './run.ts'
import { typeOf, type Operation } from './operations.ts'

type Message = (operation: Operation) => string

const lines = (...parts: readonly string[]): string => `${parts.join('\r\n')}\r\n\r\n`

/** Returns the head of a valid request, with lines replaced or added. */
function head({ method, path, takes }: Operation, more: readonly string[], first?: string): string {
  const type = takes === 'nothing' ? [] : [`Content-Type: ${typeOf[takes]}`]
  return lines(
    first ?? `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${KEY}`,
    ...type,
    ...more,
    'Connection: close',
  )
}

const CLASSES: Readonly<Record<string, readonly Message[]>> = {
  'HTTP: request lines': [
    (o) => head(o, [], `${o.method} ${o.path} HTTP/9.9`),
    (o) => head(o, [], `${o.method} ${o.path} HTTQ/1.1`),
    (o) => head(o, [], `${o.method}  ${o.path} x HTTP/1.1`),
    (o) => head(o, [], `${o.method.toLowerCase()} ${o.path} HTTP/1.1`),
    (o) => head(o, [], `WHAT ${o.path} HTTP/1.1`),
    (o) => head(o, [], `${o.method} ${o.path}\u0000 HTTP/1.1`),
    (o) => head(o, [], `${o.method} ${o.path.slice(1)} HTTP/1.1`),
  ],
  'HTTP: hosts': [
    (o) => lines(`${o.method} ${o.path} HTTP/1.1`, `Authorization: Bearer ${KEY}`, 'Connection: close'),
    (o) => head(o, ['Host: other']),
    (o) => lines(`${o.method} ${o.path} HTTP/1.1`, 'Host: a b', `Authorization: Bearer ${KEY}`, 'Connection: close'),
    (o) => lines(`${o.method} ${o.path} HTTP/1.1`, 'Host: a/../b', `Authorization: Bearer ${KEY}`, 'Connection: close'),
  ],
  'HTTP: lengths': [
    (o) => `${head(o, ['Content-Length: 1', 'Content-Length: 2'])}{}`,
    (o) => `${head(o, ['Content-Length: 2', 'Transfer-Encoding: chunked'])}0\r\n\r\n`,
    (o) => `${head(o, ['Content-Length: -1'])}{}`,
    (o) => `${head(o, ['Content-Length: 0x2'])}{}`,
    (o) => `${head(o, ['Content-Length: 99999999999999999999999'])}{}`,
    (o) => `${head(o, ['Transfer-Encoding: chunked, chunked'])}x`,
    (o) => `${head(o, ['Transfer-Encoding: chunked'])}zz\r\n{}\r\n0\r\n\r\n`,
    (o) => `${head(o, ['Transfer-Encoding: gzip'])}x`,
  ],
  'HTTP: headers': [
    (o) => head(o, [`X-Large: ${'x'.repeat(20_000)}`]),
    (o) =>
      head(
        o,
        Array.from({ length: 3000 }, (_, i) => `X-${i}: y`),
      ),
    (o) => head(o, ['X Y: z']),
    (o) => head(o, ['X-Null: a\u0000b']),
    (o) => head(o, ['X-Space : a']),
    (o) => head(o, ['no colon here']),
    (o) => head(o, [': empty']),
    (o) => head(o, ['X-Cr: a\rb']),
    (o) => head(o, ['Expect: miracles']),
  ],
}

interface Raw {
  readonly text: string
  /** False if the connection stayed open for `PATIENCE_MS` without receiving data. */
  readonly hasEnded: boolean
}

function sendRaw(port: number, message: string): Promise<Raw> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(message, 'latin1'))
    let text = ''
    let hasEnded = true
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    // After answering, a server may reset the connection and discard the bytes it has not read.
    socket.on('error', () => {})
    socket.on('close', () => resolve({ text, hasEnded }))
    socket.setTimeout(PATIENCE_MS, () => {
      hasEnded = false
      socket.destroy()
    })
  })
}

function answerOf(text: string) {
  const [top = '', ...rest] = text.split('\r\n\r\n')
  const header = (name: string): string | null => new RegExp(`^${name}: (.*)$`, 'im').exec(top)?.[1]?.trim() ?? null
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(top)?.[1] ?? 0),
    contentType: header('content-type'),
    requestId: header('x-request-id'),
    text: rest.join('\r\n\r\n'),
  }
}

/**
 * Sends the requests that need a raw socket to each operation of a listening server, and adds the results to the
 * report.
 */
export async function addRawRequests(app: App, operations: readonly Operation[], report: MatrixReport): Promise<void> {
  const server = await listen(app, { host: '127.0.0.1', port: 0 })
  try {
    for (const [name, messages] of Object.entries(CLASSES)) {
      const row = new Map<string, number>()
      report.cells.set(name, row)
      for (const operation of operations) {
        const sent = await Promise.all(messages.map((message) => sendRaw(server.port, message(operation))))
        row.set(operation.name, sent.length)
        report.total += sent.length
        sent.forEach(({ text, hasEnded }, i) => {
          const answer = answerOf(text)
          report.statuses.set(answer.status, (report.statuses.get(answer.status) ?? 0) + 1)
          const faults = faultsOf({ ...answer, requestId: answer.requestId ?? undefined }, 'POST', undefined)
          if (!hasEnded) report.faults.push(`${name} · ${operation.name} · ${i}: no end`)
          report.faults.push(...faults.map((fault) => `${name} · ${operation.name} · ${i}: ${fault}`))
        })
      }
    }
  } finally {
    await server.stop()
  }
}
