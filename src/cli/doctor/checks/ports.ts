import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { get } from 'node:http'
import { get as getOverTls } from 'node:https'
import { createServer, isIP } from 'node:net'
import { text } from 'node:stream/consumers'
import { RESPONSE_TIMEOUT_MS, errorCode } from '../../../base/index.ts'
import { OTLP_GRPC_PORT, isLoopback } from '../../../server/index.ts'
import { grpcAddress } from '../../commands/serve.ts'
import { forwardAddresses, syslogAddresses } from '../../serve/socket-addresses.ts'
import { ok, problem, warning, type Check, type Finding, type Setup } from '../check.ts'

interface Port {
  readonly use: string
  readonly host: string
  readonly port: number
  readonly transport: 'udp' | 'tcp' | 'tls'
}

/** Default host of every address. */
const LOCAL = '127.0.0.1'

function portsOf({ options: { host, otlpGrpc, syslog, forward }, port }: Setup): readonly Port[] {
  const grpc = otlpGrpc === undefined ? [] : [grpcAddress(otlpGrpc)]
  return [
    { use: 'HTTP', transport: 'tcp', host, port },
    ...grpc.map(({ host: at = LOCAL, port: number = OTLP_GRPC_PORT }) => {
      return { use: 'OTLP over gRPC', transport: 'tcp' as const, host: at, port: number }
    }),
    ...syslogAddresses(syslog ?? '').map(({ transport, host: at = LOCAL, port: number }) => {
      return { use: 'syslog', transport, host: at, port: number }
    }),
    ...forwardAddresses(forward ?? '').map(({ transport, host: at = LOCAL, port: number }) => {
      return { use: 'forward', transport, host: at, port: number }
    }),
  ]
}

/** Listens on a port and closes it again. Rejects with the system error. */
async function tryOpen({ transport, host, port }: Port): Promise<void> {
  if (transport === 'udp') {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    try {
      socket.bind(port, host)
      await once(socket, 'listening')
    } finally {
      socket.close()
    }
    return
  }
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
}

/** True if a server at this address answers health checks as Sluice does. Its certificate is not verified. */
function isServer({ host, port }: Port, isTls: boolean): Promise<boolean> {
  const options = {
    host: host === '0.0.0.0' ? LOCAL : host === '::' ? '::1' : host,
    port,
    path: '/healthz',
    rejectUnauthorized: false,
    timeout: RESPONSE_TIMEOUT_MS,
    agent: false,
  }
  return new Promise((resolve) => {
    const sent = (isTls ? getOverTls : get)(options, (response) => {
      text(response).then(
        (body) => resolve(response.statusCode === 200 && body === '{"status":"ok"}'),
        () => resolve(false),
      )
    })
    sent.on('timeout', () => sent.destroy()).on('error', () => resolve(false))
  })
}

const REASONS: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  EADDRINUSE: [
    'another program has it',
    'Stop that program, which may be a running Sluice, or choose another port. `ss -ltnup` shows who has which.',
  ],
  EACCES: [
    'this user may not open it',
    'Use a port above 1023 and a proxy before it, or `AmbientCapabilities=CAP_NET_BIND_SERVICE` of a systemd unit.',
  ],
  EADDRNOTAVAIL: ['this machine has no such address', 'Name an address of this machine, or 0.0.0.0 for all of them.'],
  ENOTFOUND: ['its name is not known', 'Name an address of this machine, or 0.0.0.0 for all of them.'],
}

async function findAt(each: Port, isTls: boolean): Promise<Finding> {
  const { use, host, port, transport } = each
  const at = `${host}:${port} (${use}${transport === 'udp' ? ', udp' : ''})`
  try {
    await tryOpen(each)
    return ok(port === 0 ? `A free port of ${host} is chosen at the start (${use}).` : `${at} is free.`)
  } catch (error) {
    const code = errorCode(error) ?? String(error)
    if (code === 'EADDRINUSE' && use === 'HTTP' && (await isServer(each, isTls)))
      return warning(
        `${at} is in use by a server that answers /healthz as Sluice does.`,
        'Nothing, if it is the server that you check; else stop it or choose another port.',
      )
    const [reason, fix] = REASONS[code] ?? [`the system says ${code}`, 'Choose another address.']
    return problem(`${at} cannot be opened: ${reason}.`, fix)
  }
}

export const ports: Check = {
  name: 'ports',
  find: async (setup) => {
    const { options } = setup
    const open = portsOf(setup).filter(({ use, host }) => ['HTTP', 'OTLP over gRPC'].includes(use) && !isLoopback(host))
    return [
      ...(await Promise.all(portsOf(setup).map((each) => findAt(each, options.tlsCert !== undefined)))),
      ...(options.tlsCert === undefined && open.length > 0
        ? [
            warning(
              `Keys and rows cross the network unencrypted to ${open.map(({ host, port }) => `${host}:${port}`).join(', ')}.`,
              'Use --tls-cert and --tls-key, or a proxy with TLS that alone can reach the port.',
            ),
          ]
        : []),
    ]
  },
}
