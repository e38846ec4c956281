import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a loopback proxy that adds a key to requests, for clients that cannot send one. */
export async function keyedProxy(
  port: number,
  key: string,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const host = incoming.headers.host ?? ''
    const passed = request(
      { port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers: { ...headers, host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  return {
    port: (proxy.address() as AddressInfo).port,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((done) => proxy.close(done))
    },
  }
}
