import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { AddressPolicy, readNotifyConfig, sendDelivery, type Delivery } from '../../../src/alerting/notify/index.ts'
import { ManualClock } from './clock.ts'
import { testAlert, testDispatcher } from './dispatching.ts'

const open: { close(): unknown }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function serve(handler: Handler): Promise<string> {
  const server: Server = createServer(handler)
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function deliveryTo(receiver: string): Delivery {
  const config = readNotifyConfig(
    `route: {receiver: main, group_wait: 0s}\nreceivers: [{name: main, ${receiver}}]`,
    () => 's3cret',
  )
  const { dispatcher } = testDispatcher(config)
  dispatcher.receive([testAlert({ host: 'x' })], 0)
  const [delivery] = dispatcher.advance(0)
  return delivery!
}

const webhook = (url: string): Delivery => deliveryTo(`webhook_configs: [{url: "${url}", token_env: T}]`)

const local = new AddressPolicy(['127.0.0.0/8', 'localhost'])
const send = (delivery: Delivery, addresses = local, clock = new ManualClock()) =>
  sendDelivery(delivery, { addresses, clock })

describe('sending over HTTP', () => {
  test('posts the body with the idempotency key and credentials', async () => {
    const bodies: unknown[] = []
    const url = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.push([request.method, request.headers, JSON.parse(Buffer.concat(chunks).toString())])
        response.end('ok')
      })
    })
    const delivery = webhook(`${url}/hook?a=1`)
    expect(await send(delivery)).toEqual({ kind: 'success' })
    expect(bodies).toMatchObject([
      [
        'POST',
        { 'content-type': 'application/json', 'idempotency-key': delivery.id, authorization: 'Bearer s3cret' },
        { status: 'firing', version: '4' },
      ],
    ])
  })

  test.each([
    [204, 'success'],
    [301, 'failed'],
    [400, 'failed'],
    [404, 'failed'],
    [408, 'retry'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('status %d means %s', async (status, kind) => {
    const url = await serve((_, response) =>
      response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end('s3cret'),
    )
    const outcome = await send(webhook(url))
    expect(outcome.kind).toBe(kind)
    expect(JSON.stringify(outcome)).not.toContain('s3cret')
  })

  test.each([
    ['7', 7000],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 5000],
  ])('`Retry-After: %s` is honoured', async (header, retryAfterMs) => {
    const url = await serve((_, response) => response.writeHead(429, { 'Retry-After': header }).end())
    expect(await send(webhook(url))).toMatchObject({ kind: 'retry', retryAfterMs })
  })

  test('a receiver that does not answer is given up after 10 s', async () => {
    const clock = new ManualClock()
    const url = await serve(() => void clock.advanceTo(10_000))
    expect(await send(webhook(url), local, clock)).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining('10 s') as string,
    })
  })

  test('the status counts although the rest of the answer does not come', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'Content-Length': 10 })
        response.write('o', () => response.destroy())
      })
    })
    expect(await send(webhook(url))).toEqual({ kind: 'success' })
  })

  test('an answer is read up to 64 KiB', async () => {
    const url = await serve((_, response) => {
      const write = (): void => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', write)
      write()
    })
    expect(await send(webhook(url))).toEqual({ kind: 'success' })
  })

  test('a refused connection is retried', async () => {
    expect(await send(webhook('http://127.0.0.1:1/'))).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  test('an Alertmanager is posted to under its base address', async () => {
    const paths: (string | undefined)[] = []
    const url = await serve((request, response) => {
      paths.push(request.url)
      response.end()
    })
    expect(await send(deliveryTo(`alertmanager_configs: [{urls: ["${url}/prefix/"]}]`))).toEqual({ kind: 'success' })
    expect(paths).toEqual(['/prefix/api/v2/alerts'])
  })
})

describe('addresses', () => {
  const none = new AddressPolicy([])

  test.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://[::ffff:a00:1]:1/',
    'http://10.1.2.3:1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]:1/',
    'http://[fd00:ec2::254]:1/',
    'http://[64:ff9b::7f00:1]:1/',
    'http://localhost:1/',
  ])('%s is refused', async (url) => {
    expect(await send(webhook(url), none)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('private') as string,
    })
  })

  test('named hosts, addresses and ranges are allowed', () => {
    const policy = new AddressPolicy(['10.0.0.0/8', 'fd00::/8', '192.168.1.5', 'Hook.internal'])
    const allowed = [
      ['a', '10.9.9.9'],
      ['a', '::ffff:10.9.9.9'],
      ['a', 'fd00::1'],
      ['a', '192.168.1.5'],
      ['hook.INTERNAL', '127.0.0.1'],
      ['a', '93.184.216.34'],
    ]
    expect(allowed.filter(([host = '', address = '']) => !policy.isAllowed(host, address))).toEqual([])
    expect(policy.isAllowed('a', '192.168.1.6')).toBe(false)
  })

  /**
   * Returns a fake name resolver with one list of addresses per lookup; the last list repeats. `asked` records the
   * hosts.
   */
  function resolver(...answers: readonly (readonly string[])[]) {
    const asked: string[] = []
    const resolve = (host: string) => {
      const addresses = answers[Math.min(asked.push(host), answers.length) - 1] ?? []
      return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    }
    return { asked, resolve }
  }

  test.each([
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '2001:0:7f00:1::',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    '169.254.169.254',
  ])('a name that resolves to %s is refused', async (address) => {
    const { resolve } = resolver([address])
    expect(await send(webhook('http://hook.example.com/'), new AddressPolicy([], resolve))).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('private') as string,
    })
  })

  test('of the addresses of a name, only those that may be called are connected to', async () => {
    const url = new URL(await serve((_, response) => response.end('ok')))
    const { asked, resolve } = resolver(['10.0.0.1', '127.0.0.1', '::1'])
    const policy = new AddressPolicy(['127.0.0.1'], resolve)
    expect((await policy.resolve('hook.example.com')).map(({ address }) => address)).toEqual(['127.0.0.1'])
    expect(await send(webhook(`http://hook.example.com:${url.port}/`), policy)).toEqual({ kind: 'success' })
    expect(asked).toHaveLength(2)
  })

  test('an attempt resolves a name once, so that a changed answer cannot move it elsewhere', async () => {
    const url = new URL(await serve((_, response) => response.end('ok')))
    const { asked, resolve } = resolver(['127.0.0.1'], ['10.0.0.1'])
    const policy = new AddressPolicy(['127.0.0.1'], resolve)
    const delivery = webhook(`http://hook.example.com:${url.port}/`)
    expect(await send(delivery, policy)).toEqual({ kind: 'success' })
    expect(asked).toEqual(['hook.example.com'])
    expect(await send(delivery, policy)).toMatchObject({ kind: 'failed' })
  })

  test.each(['10.0.0.0/33', '10.0.0/8', 'a/8', '', '10.0.0.0/'])('refuses the entry %j', (entry) => {
    expect(() => new AddressPolicy([entry])).toThrow(/allow_addresses/)
  })
})

describe('sending e-mail', () => {
  /** Starts a mail server that replies to each command by its first word. */
  async function mailServer(answers: Readonly<Record<string, string>>): Promise<{ port: number; lines: string[] }> {
    const lines: string[] = []
    const server = createTcpServer((socket) => {
      let isData = false
      socket.write('220 test\r\n')
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
          lines.push(line)
          if (isData && line !== '.') continue
          isData = line === 'DATA'
          const word = line.split(/[ :]/)[0] ?? ''
          socket.write(`${answers[word] ?? (isData ? '354 go on' : '250 ok')}\r\n`)
        }
      })
      socket.on('error', () => {})
    })
    open.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return { port: (server.address() as AddressInfo).port, lines }
  }

  const email = (port: number, more = ''): Delivery =>
    deliveryTo(
      `email_configs: [{to: to@example.com, from: from@example.com, smarthost: "localhost:${port}", require_tls: false${more}}]`,
    )

  test('hands the message to the mail server', async () => {
    const { port, lines } = await mailServer({})
    const delivery = email(port)
    expect(await send(delivery)).toEqual({ kind: 'success' })
    expect(lines).toContain('RCPT TO:<to@example.com>')
    expect(lines).toContain('Auto-Submitted: auto-generated')
    expect(lines).toContain(`Message-ID: <${delivery.id}@example.com>`)
  })

  test.each([
    ['550 s3cret', 'failed'],
    ['451 later', 'retry'],
  ])('the answer %s to the recipient means %s', async (answer, kind) => {
    const { port } = await mailServer({ RCPT: answer })
    const outcome = await send(email(port))
    expect(outcome).toMatchObject({ kind })
    expect(JSON.stringify(outcome)).not.toContain('s3cret')
  })

  test('a private address is refused', async () => {
    expect(await send(email(25), new AddressPolicy([]))).toMatchObject({ kind: 'failed' })
  })
})
