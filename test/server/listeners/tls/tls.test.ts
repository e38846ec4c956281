import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent, request, type RequestOptions } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import * as grpc from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createServer, type Listening, type SluiceServer } from '../../../../src/server/index.ts'
import { certificate, renewed } from '../../../harness/certificate.ts'

const KEY = 'the-key-of-the-tls-tests-0123456789'
const files = { cert: '', key: '' }
const trusted = { ca: [certificate.cert, renewed.cert], servername: 'localhost' }

let folder: string
let server: SluiceServer
let listening: Listening
let logged: string[]

/** Replaces certificate and key in place, as the client of a certificate authority does. */
function put({ cert, key }: { readonly cert: string; readonly key: string }): void {
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
}

const note = (fields: Readonly<Record<string, unknown>>, message: string): void => {
  if (message === 'request') return
  logged.push(`${message}${typeof fields['reason'] === 'string' ? `: ${fields['reason']}` : ''}`)
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'))
  Object.assign(files, { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') })
  put(certificate)
  logged = []
  server = await createServer({ keys: [KEY], tls: files, logger: { info: note, error: note } })
  listening = await server.listen()
})

afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answered {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

function answerTo(sent: ReturnType<typeof request>, body = ''): Promise<Answered> {
  return new Promise((resolve, reject) => {
    sent.once('error', reject).once('response', (response: IncomingMessage) => {
      text(response).then(
        (read) => resolve({ status: response.statusCode, headers: response.headers, body: read }),
        reject,
      )
    })
    sent.end(body)
  })
}

interface Asked extends Pick<RequestOptions, 'agent' | 'method'> {
  readonly headers?: Readonly<Record<string, string>>
}

function ask(path: string, { headers, ...options }: Asked = {}, body?: string): Promise<Answered> {
  const sent = { Authorization: `Bearer ${KEY}`, ...headers }
  return answerTo(request({ port: listening.port, path, ...trusted, ...options, headers: sent }), body)
}

/** Returns the name in the certificate that a new connection receives. */
async function servedName(port = listening.port): Promise<unknown> {
  const socket = connect({ port, ...trusted, ALPNProtocols: ['http/1.1', 'h2'] })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return subject.CN
}

/** True if the port accepts connections. */
function isOpen(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectPlain({ port: listening.port }, () => {
      resolve(true)
      socket.destroy()
    }).once('error', () => resolve(false))
  })
}

describe('a port with a certificate', () => {
  test('has an https address and answers requests of one connection', async () => {
    expect(listening.address).toBe(`https://127.0.0.1:${listening.port}`)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sent = await ask(
      '/api/ingest/logs',
      { agent, method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' } },
      '{"_time":"2026-01-01T00:00:00Z","content":"over TLS"}\n',
    )
    expect(sent).toMatchObject({ status: 200 })
    expect(JSON.parse(sent.body)).toMatchObject({ accepted: 1 })
    expect(await ask('/metrics', { agent })).toMatchObject({ status: 200 })
    agent.destroy()
  })

  test('shows in /metrics when the certificate ends', async () => {
    const { body } = await ask('/metrics')
    expect(body).toMatch(/^sluice_certificate_expiry_timestamp_seconds 4949\d{6}$/m)
  })

  test('marks the cookie of a session as secure', async () => {
    const { headers } = await ask('/api/session', { method: 'POST', headers: { 'X-Sluice-Session': '1' } })
    expect(String(headers['set-cookie'])).toContain('; Secure')
  })

  test('opens WebSockets', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${listening.port}/loki/api/v1/tail?query=%7Ba%3D%22b%22%7D`, {
      ...trusted,
      headers: { Authorization: `Bearer ${KEY}` },
    })
    await once(socket, 'open')
    socket.close()
    await once(socket, 'close')
  })

  test('refuses versions before TLS 1.2', async () => {
    const socket = connect({
      port: listening.port,
      ...trusted,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    await expect(once(socket, 'secureConnect')).rejects.toThrow(/protocol version|unsupported|alert/i)
  })

  test('tells a request without TLS what to write', async () => {
    const { status, body } = await answerTo(plainRequest({ port: listening.port, path: '/healthz' }))
    expect(status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({
      message: expect.stringContaining('it came without TLS, and its address must begin with https://'),
    })
  })

  test('outlives connections that end before or in their handshake', async () => {
    for (const bytes of ['', '\u0016', '\u0016\u0003\u0001\u0002\u0000nonsense']) {
      const socket = connectPlain(listening.port)
      socket.on('error', () => undefined)
      socket.end(bytes, 'latin1')
      socket.resume()
      await once(socket, 'close')
    }
    expect(await ask('/healthz')).toMatchObject({ status: 200 })
  })

  test('answers a request that began before the server is closed', async () => {
    const sent = request({
      port: listening.port,
      path: '/api/ingest/logs',
      method: 'POST',
      ...trusted,
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/x-ndjson' },
    })
    const answer = answerTo.bind(undefined, sent)
    sent.write('{"content":"first"}\n')
    const [socket] = (await once(sent, 'socket')) as [TLSSocket]
    await once(socket, 'secureConnect')
    const closed = server.close()
    await expect.poll(isOpen).toBe(false)
    const { status, headers } = await answer('{"content":"last"}\n')
    expect({ status, connection: headers.connection }).toEqual({ status: 200, connection: 'close' })
    await closed
  })

  test('closes although a client never finishes its handshake', async () => {
    await server.close()
    server = await createServer({ keys: [KEY], tls: files, limits: { drainMs: 0 } })
    listening = await server.listen()
    const silent = [connectPlain(listening.port), connectPlain(listening.port)]
    silent[1]?.write('\u0016\u0003\u0001', 'latin1')
    for (const socket of silent) socket.on('error', () => undefined)
    await Promise.all(silent.map((socket) => once(socket, 'connect')))
    await server.close()
    for (const socket of silent) socket.destroy()
  })
})

describe('a new certificate', () => {
  test('is served to new connections, and open ones stay', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask('/healthz', { agent })).toMatchObject({ status: 200 })
    expect(await servedName()).toBe('localhost')
    put(renewed)
    await expect.poll(() => servedName()).toBe('renewed')
    expect(await ask('/healthz', { agent })).toMatchObject({ status: 200 })
    expect(logged).toEqual(['the certificate was read again'])
    agent.destroy()
  })

  test('is read at once when asked for', async () => {
    put(renewed)
    server.reloadCertificate()
    expect(await servedName()).toBe('renewed')
  })

  test('that is unusable is told in one line, and the one from before stays', async () => {
    writeFileSync(files.cert, renewed.cert)
    await expect.poll(() => logged).toHaveLength(1)
    expect(logged).toEqual([
      `the new certificate is not served, the one from before still is: The file ${files.key} cannot be used for TLS: it is not the key of the certificate in ${files.cert}.`,
    ])
    expect(await servedName()).toBe('localhost')
    rmSync(files.cert)
    server.reloadCertificate()
    expect(logged[1]).toContain('it cannot be read (ENOENT')
    expect(await servedName()).toBe('localhost')
    put(renewed)
    await expect.poll(() => servedName()).toBe('renewed')
  })

  test('is served by OTLP over gRPC too', async () => {
    const { address, port } = await server.listenOtlpGrpc({ port: 0 })
    const call = (ca: string): Promise<Buffer> => {
      const client = new grpc.Client(address, grpc.credentials.createSsl(Buffer.from(ca)), {
        'grpc.ssl_target_name_override': 'localhost',
      })
      const metadata = new grpc.Metadata()
      metadata.set('authorization', `Bearer ${KEY}`)
      const unchanged = (bytes: Buffer): Buffer => bytes
      return new Promise<Buffer>((resolve, reject) => {
        client.makeUnaryRequest(
          '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
          unchanged,
          unchanged,
          Buffer.alloc(0),
          metadata,
          (error, answer) => (answer === undefined ? reject(error) : resolve(answer)),
        )
      }).finally(() => client.close())
    }
    expect(await call(certificate.cert)).toEqual(Buffer.alloc(0))
    put(renewed)
    server.reloadCertificate()
    expect(await servedName(port)).toBe('renewed')
    expect(await call(renewed.cert)).toEqual(Buffer.alloc(0))
  })
})

describe('files that cannot be served stop the start', () => {
  const start = async (): Promise<unknown> =>
    createServer({ tls: files }).then(
      async (started) => started.close(),
      (error: Error) => error.message,
    )

  test.each([
    ['a missing file', () => rmSync(files.key), 'it cannot be read (ENOENT'],
    ['a certificate that is none', () => writeFileSync(files.cert, 'hello'), 'it has no certificate in PEM form'],
    ['a key that is none', () => writeFileSync(files.key, certificate.cert), 'it has no private key in PEM form'],
    [
      'a key of another certificate',
      () => writeFileSync(files.key, renewed.key),
      'it is not the key of the certificate',
    ],
    [
      'a key with a passphrase',
      () =>
        writeFileSync(files.key, '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIH0\n-----END ENCRYPTED PRIVATE KEY-----\n'),
      'it is encrypted',
    ],
    [
      'a chain that is cut off',
      () => writeFileSync(files.cert, `${certificate.cert}${renewed.cert.slice(0, 200)}`),
      'TLS does not allow it',
    ],
  ])('%s', async (_, change, reason) => {
    change()
    expect(await start()).toContain(reason)
  })

  test('a misspelt option', async () => {
    // @ts-expect-error the option is named `cert`
    await expect(createServer({ tls: { crt: files.cert, key: files.key } })).rejects.toThrow(
      '`tls.crt` is not an option',
    )
  })
})
