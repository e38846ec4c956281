import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { present } from '../../../src/base/index.ts'

/**
 * Program of a client thread. Each client sends one request over one connection. The thread reports when all requests
 * are written, then the first line of each answer.
 */
const {
  port: serverPort,
  count,
  written,
} = workerData as {
  readonly port: number
  readonly count: number
  readonly written: Int32Array
}

async function firstLine(socket: Socket): Promise<string> {
  try {
    return (await text(socket)).split('\r\n', 1)[0] ?? ''
  } catch (error) {
    return String(error)
  }
}

const sockets = Array.from({ length: count }, () => connect(serverPort, '127.0.0.1'))
const lines = sockets.map((socket) => firstLine(socket))
await Promise.all(
  sockets.map(
    (socket) => new Promise((done) => socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', done)),
  ),
)
Atomics.store(written, 0, 1)
Atomics.notify(written, 0)
const port: MessagePort = present(parentPort ?? undefined, 'the port of a worker')
port.postMessage(await Promise.all(lines), [])
