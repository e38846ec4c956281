// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventTime, pack } from '../../../../src/fuzz/shapes/pack.ts'
import { MsgpackFramer, MsgpackReader } from '../../../../src/ingest/agents/index.ts'
import { authorized, search, startServer, type ServerProcess } from '../../../harness/server-process.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-sockets-kill-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function connected(server: ServerProcess, protocol: 'Fluentd forward' | 'Syslog'): Promise<Socket> {
  const line = await server.told(new RegExp(`${protocol}: tcp://\\S+:\\d+`))
  const socket = connect(Number(line.slice(line.lastIndexOf(':') + 1)), '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
  })
  return socket
}

/** Returns the row numbers that another server finds in the folder. */
async function kept(): Promise<readonly number[]> {
  const again = await startServer(['--data', folder])
  const found = await search(again.address, '* | stats by (n) count() times | limit 100000')
  await again.stop()
  expect(found.filter(({ times }) => times !== 1)).toEqual([])
  return found.map(({ n }) => Number(n)).toSorted((a, b) => a - b)
}

test('kill -9 while the forward protocol brings chunks: none that was acknowledged is lost, torn or doubled', async () => {
  const server = await startServer(['--data', folder, '--forward', '127.0.0.1:0'])
  const acknowledged = new Set<number>()
  const sockets = await Promise.all(Array.from({ length: 4 }, () => connected(server, 'Fluentd forward')))
  let sent = 0
  const ENTRIES = 20
  /** Sends the next chunk. It is called again after each acknowledgement until the server is gone. */
  const sendFrom = (socket: Socket): void => {
    const chunk = sent++
    const entries = Array.from({ length: ENTRIES }, (_, i) =>
      pack([eventTime(1_767_607_200_000_000_000n), { n: chunk * ENTRIES + i }]),
    )
    socket.write(pack(['t', Buffer.concat(entries), { chunk: String(chunk) }]))
  }
  const gone = sockets.map((socket) => {
    const framer = new MsgpackFramer(1024)
    socket.on('data', (data: Buffer) => {
      for (const { bytes } of framer.push(data)) {
        acknowledged.add(Number((new MsgpackReader(bytes).value() as { readonly ack: string }).ack))
        sendFrom(socket)
      }
    })
    sendFrom(socket)
    return new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
    })
  })
  while (acknowledged.size < 40) await setTimeout(5)
  await server.kill()
  await Promise.all(gone)
  const rows = new Set(await kept())
  for (let chunk = 0; chunk < sent; chunk++) {
    const there = Array.from({ length: ENTRIES }, (_, i) => rows.has(chunk * ENTRIES + i))
    const whole = there.every(Boolean)
    expect([chunk, whole || (!acknowledged.has(chunk) && !there.some(Boolean))]).toEqual([chunk, true])
  }
})

test('kill -9 while syslog comes: what the counter told is there, and of each connection the beginning, whole', async () => {
  const server = await startServer(['--data', folder, '--syslog', 'tcp://127.0.0.1:0'])
  const socket = await connected(server, 'Syslog')
  let sent = 0
  const counted = async (): Promise<number> => {
    const text = await (await fetch(`${server.address}/metrics`, { headers: authorized() })).text()
    return Number(/^sluice_syslog_messages_total (\d+)/m.exec(text)?.[1] ?? 0)
  }
  let stored = 0
  while (stored < 500) {
    const messages = Array.from({ length: 100 }, () => `<13>1 2026-01-05T10:00:00Z h a - - [x n="${sent++}"] told\n`)
    socket.write(messages.join(''))
    stored = await counted()
  }
  await server.kill()
  const again = await startServer(['--data', folder])
  const found = await search(again.address, 'told | stats by (x.n) count() times | limit 100000')
  await again.stop()
  const numbers = found.map((row) => Number(row['x.n'])).toSorted((a, b) => a - b)
  expect(found.filter(({ times }) => times !== 1)).toEqual([])
  expect(numbers.length).toBeGreaterThanOrEqual(stored)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i))
})
