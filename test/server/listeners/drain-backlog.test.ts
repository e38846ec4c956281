import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { untilPaused } from '../../../src/server/listeners/drain-backlog.ts'

test('what the system has when a pause ends late is read before it counts as one', async () => {
  let reads = 0
  const server = createServer((socket) => socket.on('data', () => reads++))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [taken] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    client.destroy()
    taken.destroy()
    server.close()
  })
  client.write('told')
  const paused = untilPaused(() => reads)
  // Blocks the thread for longer than any pause.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  await paused
  expect(reads).toBe(1)
})
