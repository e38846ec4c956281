// @module-tag slow
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { storedRows } from '../harness/stored-rows.ts'

const open: SluiceServer[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(): Promise<{ readonly server: SluiceServer; readonly port: number }> {
  const server = await createServer({ keys: ['k'], limits: { ingestBodyBytes: 500_000, ingestBytes: 2_000_000 } })
  open.push(server)
  return { server, port: (await server.listen()).port }
}

const lines = (count: number): Buffer =>
  Buffer.from(
    Array.from({ length: count }, (_, i) => `{"_time":"2026-03-10T10:00:00Z","content":"line ${i}"}\n`).join(''),
  )

const head = (more: string): string =>
  `POST /api/ingest/logs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Type: application/x-ndjson\r\n${more}\r\n\r\n`

const chunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** Returns the next answer on a connection. */
async function answerOn(socket: Socket): Promise<string> {
  let text = ''
  for (;;) {
    const [piece] = (await once(socket, 'data')) as [Buffer]
    text += piece.toString()
    const [, headers, body] = /^([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? []
    const length = Number(/content-length: (\d+)/i.exec(headers ?? '')?.[1] ?? NaN)
    if (body !== undefined && Buffer.byteLength(body) >= length) return text
  }
}

test('bodies that come in pieces of any size are stored whole, one after the other on a connection', async () => {
  const { server, port } = await started()
  const socket = connect(port, '127.0.0.1')
  const body = lines(2000)
  for (const pieceBytes of [7001, 64 * 1024, body.length]) {
    socket.write(head('Transfer-Encoding: chunked'))
    for (let at = 0; at < body.length; at += pieceBytes) {
      socket.write(chunk(body.subarray(at, at + pieceBytes)))
      if (pieceBytes === 7001) await setTimeout(1)
    }
    socket.write('0\r\n\r\n')
    expect(await answerOn(socket)).toContain('"accepted":2000')
  }
  const packed = gzipSync(body)
  socket.write(head(`Content-Encoding: gzip\r\nContent-Length: ${packed.length}`))
  socket.write(packed.subarray(0, 100))
  await setTimeout(20)
  socket.write(packed.subarray(100))
  expect(await answerOn(socket)).toContain('"accepted":2000')
  socket.write(head('Content-Length: 0'))
  expect(await answerOn(socket)).toContain('"accepted":0')
  socket.destroy()
  expect(await storedRows(server)).toBe(8000)
})

test('a body that turns out to be too long is refused while it is still being sent', async () => {
  const { server, port } = await started()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(head('Transfer-Encoding: chunked'))
  const sending = (async () => {
    for (let i = 0; i < 200 && !socket.destroyed; i++) {
      socket.write(chunk(lines(100)))
      await setTimeout(1)
    }
  })()
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 413 /)
  socket.destroy()
  await sending
  expect(await storedRows(server)).toBe(0)
})

test('the reservation of a refused body is released', async () => {
  const { server, port } = await started()
  // Eight of these bodies together would exceed the limit for all bodies.
  for (let i = 0; i < 8; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(head('Transfer-Encoding: chunked'))
    for (let sent = 0; sent < 8; sent++) socket.write(chunk(lines(1500)))
    expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  }
  const socket = connect(port, '127.0.0.1')
  const body = lines(5000)
  socket.write(Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body]))
  expect(await answerOn(socket)).toContain('"accepted":5000')
  socket.destroy()
  expect(await storedRows(server)).toBe(5000)
})

test('nothing of a truncated body is stored, and the server continues', async () => {
  const { server, port } = await started()
  for (const more of ['Content-Length: 100000', 'Transfer-Encoding: chunked']) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(head(more))
    socket.write(more.startsWith('Content') ? lines(100) : chunk(lines(100)))
    await setTimeout(50)
    socket.destroy()
    await once(socket, 'close')
  }
  await setTimeout(100)
  expect(await storedRows(server)).toBe(0)
  const socket = connect(port, '127.0.0.1')
  const body = lines(10)
  socket.write(Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body]))
  expect(await answerOn(socket)).toContain('"accepted":10')
  socket.destroy()
})
