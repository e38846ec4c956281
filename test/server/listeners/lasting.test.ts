// @module-tag slow
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { storedRows } from '../harness/stored-rows.ts'

const open: SluiceServer[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const limits = { headersMs: 1500, bodyMs: 1500, idleMs: 60_000 }

/** Sends a request body in pieces until `until` returns true. Resolves with the answer. */
async function upload(
  port: number,
  path: string,
  key: string,
  until: (sent: number) => Promise<boolean>,
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
  )
  for (let sent = 1; !socket.destroyed; sent++) {
    const entry = `MESSAGE=entry ${sent}\n\n`
    socket.write(`${entry.length.toString(16)}\r\n${entry}\r\n`)
    if (await Promise.race([until(sent), closed])) break
  }
  socket.write('0\r\n\r\n')
  await closed
  return answer
}

test('an upload that keeps sending lasts, and what a pause ends is stored', async () => {
  const server = await createServer({ keys: ['k'], limits })
  open.push(server)
  const { port } = await server.listen()
  const answer = await upload(port, '/upload', 'k', async (sent) => {
    await setTimeout(200)
    if (sent < 20) return false
    // More than twice the request time limit has passed. The entries are stored when the sender pauses.
    await expect.poll(() => storedRows(server)).toBe(20)
    return true
  })
  expect(answer).toMatch(/^HTTP\/1\.1 202 .*OK\.\n/s)
  expect(await storedRows(server)).toBe(20)
})

test('one that stops sending is ended, and what had come is stored', async () => {
  const server = await createServer({ keys: ['k'], limits: { ...limits, idleMs: 1500 } })
  open.push(server)
  const { port } = await server.listen()
  const answer = await upload(port, '/upload', 'k', (sent) =>
    sent < 3 ? Promise.resolve(false) : new Promise(() => undefined),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(await storedRows(server)).toBeGreaterThanOrEqual(1)
})

test('other bodies, and those of unknown keys, have the time of a request', async () => {
  const server = await createServer({ keys: ['k'], limits })
  open.push(server)
  const { port } = await server.listen()
  const later = (): Promise<boolean> => setTimeout(50, false)
  expect(await upload(port, '/services/collector/raw', 'k', later)).toMatch(/^HTTP\/1\.1 408 /)
  expect(await upload(port, '/upload', 'wrong', later)).toMatch(/^HTTP\/1\.1 401 /)
})
