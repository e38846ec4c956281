import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { eventTime, pack, type Packable } from '../../../../src/fuzz/shapes/pack.ts'
import { MsgpackFramer, MsgpackReader } from '../../../../src/ingest/agents/index.ts'
import { createServer, type ForwardOptions, type SluiceServer } from '../../../../src/server/index.ts'
import { certificate } from '../../../harness/certificate.ts'

const open: SluiceServer[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(
  options: Parameters<typeof createServer>[0] = {},
  forward: Partial<ForwardOptions> = {},
): Promise<{ server: SluiceServer; port: number; stop: () => Promise<void> }> {
  const server = await createServer({ keys: ['k'], openTo: 'everyone', ...options })
  open.push(server)
  return { server, ...(await server.listenForward({ transport: 'tcp', port: 0, ...forward })) }
}

async function rows(server: SluiceServer, query = '*'): Promise<readonly Record<string, unknown>[]> {
  const response = await server.fetch(
    new Request('http://localhost/api/logs/v2/search', {
      method: 'POST',
      headers: { Authorization: 'Bearer k', 'Content-Type': 'application/json' },
      body: JSON.stringify({ start: '2000-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z', query }),
    }),
  )
  return (await response.json()) as Record<string, unknown>[]
}

async function metric(server: SluiceServer, name: string): Promise<string> {
  const text = await (await server.fetch(new Request('http://localhost/metrics'))).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .join('\n')
}

/** A client that records the answers it receives. */
class Sender {
  readonly socket: Socket
  readonly answers: Buffer[] = []
  readonly closed: Promise<void>
  readonly #framer = new MsgpackFramer(1024 * 1024)
  #told: (() => void) | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      for (const { bytes } of this.#framer.push(chunk)) this.answers.push(bytes)
      this.#told?.()
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve()
        this.#told?.()
      })
    })
  }

  static async to(port: number): Promise<Sender> {
    const socket = connect(port, '127.0.0.1')
    const sender = new Sender(socket)
    await new Promise<void>((resolve) => {
      socket.once('connect', () => resolve())
    })
    return sender
  }

  write(...values: readonly Packable[]): this {
    this.socket.write(Buffer.concat(values.map(pack)))
    return this
  }

  /** Returns the first `count` answers, or fewer if the connection ends. */
  async told(count: number): Promise<readonly unknown[]> {
    while (this.answers.length < count && !this.socket.closed)
      await new Promise<void>((resolve) => {
        this.#told = resolve
      })
    return this.answers.map((bytes) => structuredClone(new MsgpackReader(bytes).value()))
  }
}

const NS = 1_767_607_200_123_456_789n
const entries = (...texts: readonly string[]): readonly Packable[] =>
  texts.map((text) => [eventTime(NS), { log: text }])
const packed = (...texts: readonly string[]): Buffer => Buffer.concat(entries(...texts).map(pack))

test('each way of writing: message, forward, packed, packed with gzip and zstd; each acknowledged', async () => {
  const { server, port } = await started()
  const sender = await Sender.to(port)
  const gzipped = Buffer.concat([gzipSync(packed('gzip 1')), gzipSync(packed('gzip 2'))])
  sender.write(
    [
      'app',
      eventTime(NS),
      { log: 'message', level: 'warn', kubernetes: { pod_name: 'p-1' }, n: 2n ** 60n + 1n, tag: 'own' },
      { chunk: 'a' },
    ],
    ['app', entries('forward 1', 'forward 2'), { chunk: 'b', size: 2 }],
    ['app', packed('packed'), { chunk: 'c', compressed: 'text' }],
    ['app', gzipped, { chunk: 'd', compressed: 'gzip' }],
    ['app', zstdCompressSync(packed('zstd')), { chunk: 'e', compressed: 'zstd', fluent_signal: 0 }],
    ['app', 1_767_607_200, { log: 'seconds' }, { chunk: 'f' }],
    ['app', [[[eventTime(NS), { trace: 'x' }], { log: 'with metadata' }]], { chunk: 'g' }],
  )
  expect(await sender.told(7)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((ack) => ({ ack })))
  expect(await rows(server, '* | sort by (content) | fields _time, content, tag')).toEqual(
    ['forward 1', 'forward 2', 'gzip 1', 'gzip 2', 'message', 'packed', 'seconds', 'with metadata', 'zstd'].map(
      (content) => ({
        _time: content === 'seconds' ? '2026-01-05T10:00:00.000000000Z' : '2026-01-05T10:00:00.123456789Z',
        content,
        tag: content === 'message' ? 'own' : 'app',
      }),
    ),
  )
  expect(await rows(server, 'n:=1152921504606846977')).toMatchObject([
    { level: 'warn', 'kubernetes.pod_name': 'p-1', 'forward.tag': 'app' },
  ])
  expect(await rows(server, 'metadata')).toMatchObject([{ 'metadata.trace': 'x' }])
  expect(await metric(server, 'sluice_forward_records_total')).toBe('sluice_forward_records_total 9')
})

test('however the bytes are cut, and what an older sender writes', async () => {
  const { server, port } = await started()
  const sender = await Sender.to(port)
  sender.socket.setNoDelay(true)
  const bytes = Buffer.concat([
    pack(['t', eventTime(NS), { log: 'é' }, { chunk: 'one' }]),
    // The oldest msgpack encoding has one type for strings and bytes. The other events have a time with an explicit
    // length, and a list with a 32-bit header.
    Buffer.concat([
      Buffer.from('93a174', 'hex'),
      Buffer.from('c70800', 'hex'),
      eventTime(NS).bytes,
      pack({ log: 'old' }),
    ]),
    Buffer.concat([Buffer.from('dd00000003a174', 'hex'), pack([]), pack({ chunk: 'two' })]),
  ])
  for (const byte of bytes) sender.socket.write(Buffer.of(byte))
  expect(await sender.told(2)).toEqual([{ ack: 'one' }, { ack: 'two' }])
  expect(await rows(server, '* | fields content | sort by (content)')).toEqual([{ content: 'old' }, { content: 'é' }])
})

/** Returns a sender's answer to the greeting. */
function ping(hello: unknown, sharedKey: string): Packable {
  const [, { nonce }] = hello as [string, { nonce: string }]
  const digest = createHash('sha512')
    .update('salt')
    .update('client')
    .update(Buffer.from(nonce, 'base64'))
    .update(sharedKey)
    .digest('hex')
  return ['PING', 'client', 'salt', digest, '', '']
}

/** Returns the greeting with its nonce as Base64. */
function helloOf(bytes: Buffer | undefined): unknown {
  const reader = new MsgpackReader(bytes ?? Buffer.alloc(0))
  expect([reader.list(), reader.text(), reader.map(), reader.text()]).toEqual([2, 'HELO', 3, 'nonce'])
  const { from, to } = reader.payload() ?? { from: 0, to: 0 }
  return ['HELO', { nonce: bytes?.toString('base64', from, to) }]
}

test('a shared key lets in who knows it, and the server proves that it knows it too', async () => {
  const { server, port } = await started({}, { sharedKey: 'secret', host: '127.0.0.1' })
  const good = await Sender.to(port)
  await good.told(1)
  const hello = helloOf(good.answers[0])
  good.write(ping(hello, 'secret'), ['t', eventTime(NS), { log: 'known' }, { chunk: 'x' }])
  const [, pong, ack] = await good.told(3)
  const nonce = Buffer.from((hello as [string, { nonce: string }])[1].nonce, 'base64')
  const proof = createHash('sha512').update('salt').update('sluice').update(nonce).update('secret').digest('hex')
  expect([pong, ack]).toEqual([['PONG', true, '', 'sluice', proof], { ack: 'x' }])

  const bad = await Sender.to(port)
  await bad.told(1)
  bad.write(ping(helloOf(bad.answers[0]), 'guess'), ['t', eventTime(NS), { log: 'guessed' }])
  expect((await bad.told(2))[1]).toEqual(['PONG', false, 'shared key mismatch', '', ''])
  await bad.closed

  const rude = await Sender.to(port)
  await rude.told(1)
  rude.write(['t', eventTime(NS), { log: 'unasked' }])
  expect((await rude.told(2))[1]).toMatchObject([
    'PONG',
    false,
    'a PING with the shared key is expected before messages',
    '',
    '',
  ])
  await rude.closed

  const long = await Sender.to(port)
  long.socket.write(Buffer.from('96dbffffffff', 'hex'))
  await long.closed
  expect(await rows(server, '* | fields content')).toEqual([{ content: 'known' }])
  expect(await metric(server, 'sluice_forward_dropped_total{reason="key"}')).toMatch(/ 2$/)
})

test('over TLS, with a certificate of the sender where it is asked', async () => {
  const { server, port } = await started({}, { transport: 'tls', ...certificate, ca: certificate.cert })
  const send = (more: object): Sender => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...more })
    const sender = new Sender(socket)
    socket.once('secureConnect', () => sender.write(['t', eventTime(NS), { log: 'by tls' }, { chunk: 'x' }]))
    return sender
  }
  expect(await send(certificate).told(1)).toEqual([{ ack: 'x' }])
  expect(await send({}).told(1)).toEqual([])
  expect(await rows(server, '* | fields content')).toEqual([{ content: 'by tls' }])
})

const nested = (depth: number): Buffer =>
  Buffer.concat([pack('t'), pack(1), Buffer.alloc(depth, 0x91), Buffer.of(0xc0)])

test.each([
  ['deep nesting', Buffer.concat([Buffer.of(0x93), nested(100_000)]), 'nested deeper than 128 levels'],
  ['a text of 4 GiB', Buffer.from('93dbffffffff', 'hex'), 'longer than'],
  ['a list of 4 billion items', Buffer.from('92a174ddffffffff', 'hex'), 'longer than'],
  ['a map of 4 billion pairs', Buffer.from('93a17401dfffffffff', 'hex'), 'longer than'],
  ['an extension of 4 GiB', Buffer.from('93a174c9ffffffff00', 'hex'), 'longer than'],
  ['a byte that is nothing', Buffer.from('93c1', 'hex'), 'a byte that no value begins with'],
  ['text', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'a message is a list of two to four items'],
  ['a tag that is a number', pack([1, 2, {}]), 'the tag of a message is a text'],
  ['no record', pack(['t', 1]), 'a message without a record'],
  ['metrics', pack(['t', Buffer.from('x'), { fluent_signal: 1 }]), 'a message of metrics or traces'],
  ['an unknown packing', pack(['t', Buffer.from('x'), { compressed: 'lzw' }]), 'packed by lzw'],
])('%s ends the connection, in words, and others go on', async (_, bytes, reason) => {
  const said: unknown[] = []
  const logger = { info: () => undefined, error: (fields: object) => said.push(fields) }
  const { server, port } = await started({ logger })
  const hostile = await Sender.to(port)
  hostile.socket.write(bytes)
  await hostile.closed
  expect(said).toEqual([{ reason: expect.stringContaining(reason) as string }])
  expect(await metric(server, 'sluice_forward_dropped_total{reason="framing"}')).toMatch(/ 1$/)
  const good = (await Sender.to(port)).write(['t', eventTime(NS), { log: 'good' }, { chunk: 'x' }])
  expect(await good.told(1)).toEqual([{ ack: 'x' }])
})

test.each([
  ['a record that is not a map', ['t', 1, [1], { chunk: 'x' }], 'a record that is not a map'],
  ['an entry that is not a list', ['t', [5], { chunk: 'x' }], 'an entry that is not a list'],
  [
    'packed entries that are cut',
    ['t', packed('a').subarray(0, 9), { chunk: 'x' }],
    'it ends in the middle of a value',
  ],
  ['what gzip did not make', ['t', Buffer.from('plain'), { chunk: 'x', compressed: 'gzip' }], 'bod'],
  [
    'more fields than a record may have',
    ['t', 1, Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i])), { chunk: 'x' }],
    'more than 4096 fields',
  ],
] as const)('%s is not acknowledged where nothing of a message is stored', async (_, message, reason) => {
  const said: { reason: string }[] = []
  const logger = { info: () => undefined, error: (fields: object) => said.push(fields as { reason: string }) }
  const { server, port } = await started({ logger })
  const other = (await Sender.to(port)).write(['t', eventTime(NS), { log: 'beside it' }, { chunk: 'ok' }])
  const sender = (await Sender.to(port)).write(message)
  await sender.closed
  expect(sender.answers).toEqual([])
  expect(said.map(({ reason: each }) => each).join('; ')).toContain(reason)
  expect(await other.told(1)).toEqual([{ ack: 'ok' }])
  expect(await rows(server, '* | fields content')).toEqual([{ content: 'beside it' }])
})

test('of a message in which some entries can be stored the others are counted and reported', async () => {
  const { server, port } = await started()
  const sender = (await Sender.to(port)).write(['t', [[1, { log: 'one' }], 7, [1, {}]], { chunk: 'x' }])
  expect(await sender.told(1)).toEqual([{ ack: 'x' }])
  expect(await metric(server, 'sluice_forward_dropped_total{reason="refused"}')).toMatch(/ 2$/)
  expect(await rows(server, '* | fields content')).toEqual([{ content: 'one' }])
})

test('a bomb is refused by what it unpacks to, and charged before', async () => {
  const { server, port } = await started({ limits: { ingestBodyBytes: 1024 * 1024 } })
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const sender = (await Sender.to(port)).write(['t', bomb, { chunk: 'x', compressed: 'gzip' }])
  await sender.closed
  expect(sender.answers).toEqual([])
  expect(await rows(server)).toEqual([])
})

test('messages without end: what is begun is bounded over all connections, the largest goes first', async () => {
  const { server, port } = await started({ limits: { ingestBodyBytes: 1024 * 1024 } })
  const senders = await Promise.all(Array.from({ length: 50 }, () => Sender.to(port)))
  for (const { socket } of senders)
    socket.write(Buffer.concat([Buffer.from('92a174c6000f0000', 'hex'), Buffer.alloc(100_000)]))
  while ((await metric(server, 'sluice_forward_dropped_total{reason="memory"}')) === '')
    await new Promise((resolve) => setTimeout(resolve, 20))
  const small = (await Sender.to(port)).write(['t', eventTime(NS), { log: 'among them' }, { chunk: 'x' }])
  expect(await small.told(1)).toEqual([{ ack: 'x' }])
  for (const { socket } of senders) socket.destroy()
})

test('a sender that says all and closes is still answered; at the end of the server too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-forward-'))
  try {
    const { server, port } = await started({ data: folder })
    const gone = (await Sender.to(port)).write(['t', entries('one'), { chunk: 'a' }])
    gone.socket.end()
    expect(await gone.told(1)).toEqual([{ ack: 'a' }])
    await gone.closed
    const late = (await Sender.to(port)).write(
      ...Array.from({ length: 500 }, (_, i): Packable => ['t', i, { log: 'x' }, { chunk: `${i}` }]),
    )
    // Resolves when the operating system has accepted all bytes.
    await new Promise((resolve) => late.socket.write('', resolve))
    await server.close()
    await late.closed
    expect(late.answers).toHaveLength(500)
    const { server: second } = await started({ data: folder })
    expect(await rows(second, '* | stats count() n')).toEqual([{ n: 501 }])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  [{ host: '0.0.0.0' }, 'forward has no key'],
  [{ transport: 'tls' }, 'needs a certificate'],
  [{ cert: 'x', key: 'y' }, 'only tls has certificates'],
  [{ backend: 'other' }, 'must name one of the backends'],
] as const)('nothing opens because something is missing: %j', async (options, reason) => {
  const server = await createServer({ keys: ['k'] })
  open.push(server)
  await expect(server.listenForward({ transport: 'tcp', port: 0, ...options })).rejects.toMatchObject({
    code: 'setup/forward',
    message: expect.stringContaining(reason) as string,
  })
})
