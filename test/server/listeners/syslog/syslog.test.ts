import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { SyslogFramer, syslogRecord } from '../../../../src/ingest/agents/index.ts'
import { createServer, type SluiceServer, type SyslogOptions } from '../../../../src/server/index.ts'
import { certificate } from '../../../harness/certificate.ts'

const open: SluiceServer[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(options: Parameters<typeof createServer>[0] = {}): Promise<SluiceServer> {
  const server = await createServer({ keys: ['k'], openTo: 'everyone', ...options })
  open.push(server)
  return server
}

async function rows(server: SluiceServer, query = '*', backend?: string): Promise<readonly Record<string, unknown>[]> {
  const response = await server.fetch(
    new Request('http://localhost/api/logs/v2/search', {
      method: 'POST',
      headers: {
        Authorization: 'Bearer k',
        'Content-Type': 'application/json',
        ...(backend === undefined ? {} : { 'X-Backend-Id': backend }),
      },
      body: JSON.stringify({ start: '2000-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z', query }),
    }),
  )
  return (await response.json()) as Record<string, unknown>[]
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
  })
  return socket
}

function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    socket.resume()
  })
}

async function metric(server: SluiceServer, name: string): Promise<string> {
  const text = await (await server.fetch(new Request('http://localhost/metrics'))).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .join('\n')
}

const NEW = '<165>1 2026-01-05T10:00:00.123456Z web-1 api 42 ID7 [req@1 id="a\\"b" path="/x"] \uFEFFhello there'

test('a message of RFC 5424 and one without a header as records', () => {
  expect(Object.fromEntries(syslogRecord(NEW, { nowNs: 0n }))).toMatchObject({
    facility: 'local4',
    level: 'notice',
    _time: { ns: 1_767_607_200_123_456_000n },
    host: 'web-1',
    app: 'api',
    pid: '42',
    msgid: 'ID7',
    'req@1.id': 'a"b',
    'req@1.path': '/x',
    content: 'hello there',
  })
  expect(Object.fromEntries(syslogRecord('<13>1 - - - - - - only text', { nowNs: 0n }))).toEqual({
    level: 'notice',
    facility: 'user',
    content: 'only text',
  })
})

test.each([
  [
    '29 February',
    '<13>Feb 29 10:00:00 node app: x',
    { _time: { ns: 1_709_200_800_000_000_000n }, app: 'app', content: 'x' },
  ],
  ['CEF', '<13>Jan  5 10:00:00 node CEF:0|a|b|1|2|c|3|src=10.0.0.1', { host: 'node', 'cef.extension.src': '10.0.0.1' }],
  ['JSON behind a cookie', '<13>Jan  5 10:00:00 node app: @cee:{"user":{"id":"u1"}}', { app: 'app', 'user.id': 'u1' }],
  ['no time', '<13>known sender', { content: 'known sender' }],
  ['no priority', 'plain text', { content: 'plain text' }],
  ['several lines', '<13>Jan  5 10:00:00 node app: one\n two', { content: 'one\n two' }],
])('a message with %s', (_, message, expected) => {
  // 2026-01-05T12:00:00Z
  expect(Object.fromEntries(syslogRecord(message, { nowNs: 1_767_614_400_000_000_000n }))).toMatchObject(expected)
})

test('a line has the same fields from a body and from a socket', async () => {
  const server = await started()
  const { port, stop } = await server.listenSyslog({ transport: 'tcp', port: 0 })
  const line = '<30>2024-05-05T10:00:00.123+02:00 node myapp[12]: same fields\n'
  const headers = { Authorization: 'Bearer k', 'Content-Type': 'text/plain' }
  await server.fetch(new Request('http://localhost/api/ingest/logs', { method: 'POST', headers, body: line }))
  const socket = await connected(port)
  socket.end(line)
  await ended(socket)
  await stop()
  const [first, second, ...others] = await rows(server)
  expect(first).toMatchObject({ host: 'node', app: 'myapp', pid: '12', facility: 'daemon', content: 'same fields' })
  expect(second).toEqual(first)
  expect(others).toEqual([])
})

test('messages with lengths, on lines and between zeros, however they are cut', () => {
  const stream = Buffer.from(
    `${Buffer.byteLength(NEW)} ${NEW}<13>one\n5 <1>ab<13>two\0<13>three\r\n2026 plain text\n12`,
  )
  for (const size of [1, 2, 3, 7, 64, stream.length]) {
    const framer = new SyslogFramer()
    const found: string[] = []
    for (let at = 0; at < stream.length; at += size)
      found.push(...framer.push(stream.subarray(at, at + size)).messages.map(String))
    expect(found).toEqual([NEW, '<13>one', '<1>ab', '<13>two', '<13>three\r', '2026 plain text'])
    expect(framer.pendingBytes).toBe(2)
    expect(framer.end()).toBeUndefined()
  }
})

test('an endless line is not kept, a length of 4 GB ends the connection', () => {
  const framer = new SyslogFramer()
  for (let i = 0; i < 1000; i++) {
    expect(framer.push(Buffer.alloc(4096, 'x')).messages).toEqual([])
    expect(framer.pendingBytes).toBeLessThan(300 * 1024)
  }
  expect(framer.tooLong).toBe(1)
  expect(framer.push(Buffer.from('\n<13>next\n')).messages.map(String)).toEqual(['<13>next'])
  expect(new SyslogFramer().push(Buffer.from('4294967295 <13>x'))).toEqual({ messages: [], fault: 'too-long' })
})

test('over TCP: rows can be searched, a line without an end too when the sender goes', async () => {
  const server = await started()
  const { port, stop } = await server.listenSyslog({ transport: 'tcp', port: 0, zone: '+02:00' })
  const socket = await connected(port)
  socket.write(`${Buffer.byteLength(NEW)} ${NEW}`)
  socket.write('<34>Jan  5 12:00:00 gate su[7]: denied\n<34>last')
  socket.end()
  await ended(socket)
  await stop()
  expect(await rows(server, 'host:=web-1')).toMatchObject([
    { _time: '2026-01-05T10:00:00.123456000Z', level: 'notice', 'req@1.path': '/x', content: 'hello there' },
  ])
  expect(await rows(server, 'app:=su')).toMatchObject([
    { _time: expect.stringMatching(/-01-05T10:00:00/) as string, pid: '7', content: 'denied' },
  ])
  expect(await rows(server, '* | stats count() n')).toEqual([{ n: 3 }])
  expect(await metric(server, 'sluice_syslog_messages_total')).toBe('sluice_syslog_messages_total 3')
})

test('over UDP', async () => {
  const server = await started()
  const { port, stop } = await server.listenSyslog({ transport: 'udp', port: 0 })
  const socket = createSocket('udp4')
  for (let i = 0; i < 20; i++)
    await new Promise<void>((resolve) => {
      socket.send(`<13>1 - - - - - - datagram ${i}`, port, '127.0.0.1', () => resolve())
    })
  socket.close()
  await stop()
  expect(await rows(server, 'datagram | stats count() n')).toEqual([{ n: 20 }])
})

test('over TLS, with a certificate of the sender where it is asked', async () => {
  const server = await started()
  const { port, stop } = await server.listenSyslog({ transport: 'tls', port: 0, ...certificate, ca: certificate.cert })
  const send = (more: object, text: string): Promise<void> => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...more })
    socket.on('error', () => undefined)
    socket.once('secureConnect', () => socket.end(text))
    return ended(socket)
  }
  await send(certificate, '<13>known sender\n')
  await send({}, '<13>nobody\n')
  await stop()
  expect(await rows(server, '* | fields content')).toEqual([{ content: 'known sender' }])
})

test.each([
  [{ transport: 'tcp', host: '0.0.0.0', port: 0 }, 'syslog has no key'],
  [{ transport: 'udp', host: '192.0.2.1', port: 0 }, 'syslog has no key'],
  [{ transport: 'tls', port: 0 }, 'needs a certificate'],
  [{ transport: 'tcp', port: 0, cert: 'x', key: 'y' }, 'only tls has certificates'],
  [{ transport: 'tcp', port: 0, backend: 'other' }, 'must name one of the backends'],
] as const)('nothing opens because something is missing: %j', async (options, reason) => {
  const server = await started()
  await expect(server.listenSyslog(options as SyslogOptions)).rejects.toMatchObject({
    code: 'setup/syslog',
    message: expect.stringContaining(reason) as string,
  })
})

test('with several backends one is named, and has the rows', async () => {
  const server = await started({ backends: { a: {}, b: {} } })
  await expect(server.listenSyslog({ transport: 'tcp', port: 0 })).rejects.toMatchObject({ code: 'setup/syslog' })
  const { port, stop } = await server.listenSyslog({ transport: 'tcp', port: 0, backend: 'b' })
  const socket = await connected(port)
  socket.end('<13>of b\n')
  await ended(socket)
  await stop()
  expect([await rows(server, '*', 'a'), (await rows(server, '*', 'b')).length]).toEqual([[], 1])
})

test('a thousand slow senders, and what they have begun is bounded', async () => {
  const server = await started()
  const { port, stop } = await server.listenSyslog({ transport: 'tcp', port: 0 })
  const sockets = await Promise.all(Array.from({ length: 1000 }, () => connected(port)))
  const begun = Buffer.alloc(100 * 1024, 'x')
  for (const socket of sockets) socket.write(begun)
  const good = await connected(port)
  good.end('<13>among them\n')
  await ended(good)
  // Unfinished messages are held in memory, so at most as many as fit into 32 MiB remain.
  const most = Math.floor((32 * 1024 * 1024) / begun.length)
  const dropped = async (): Promise<number> =>
    Number((await metric(server, 'sluice_syslog_dropped_total{reason="memory"}')).split(' ').at(-1))
  while ((await dropped()) < sockets.length - most) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const socket of sockets) socket.destroy()
  await stop()
  expect(await rows(server, 'among')).toHaveLength(1)
})

test('stopping stores what has come, and it is there after the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-syslog-'))
  try {
    const first = await createServer({ keys: ['k'], data: folder })
    const { port } = await first.listenSyslog({ transport: 'tcp', port: 0 })
    const socket = await connected(port)
    const messages = Array.from({ length: 5000 }, (_, i) => `<13>1 2026-01-05T10:00:00Z - - - - - row ${i}\n`)
    // Resolves when the operating system has accepted all bytes.
    await new Promise((resolve) => socket.write(messages.join(''), resolve))
    await first.close()
    socket.destroy()
    const second = await started({ data: folder })
    await second.loaded
    expect(await rows(second, '* | stats count() n')).toEqual([{ n: 5000 }])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
