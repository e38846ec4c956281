import { isIP } from 'node:net'
import { SluiceError, nowhere } from '../../../base/index.ts'
import { setupDiagnostic } from '../../errors/setup-diagnostics.ts'

/** Address and settings of a protocol without keys. */
export interface SocketAddress {
  readonly transport: 'udp' | 'tcp' | 'tls'
  /** Address to listen on. Default: the loopback address. */
  readonly host?: string | undefined
  /** Port number; 0 selects a free port. */
  readonly port: number
  /** Backend id; required if there are several. */
  readonly backend?: string | undefined
  /** Zone of times that state no zone: an IANA name or an offset such as `+02:00`. Default: UTC. */
  readonly zone?: string | undefined
  /** Server certificate in PEM form, for `tls`. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** CA certificates in PEM form. A sender's certificate must be signed by one of them. */
  readonly ca?: string | undefined
  /** `everyone` allows other machines to send without a certificate or secret. */
  readonly openTo?: 'everyone' | undefined
}

export interface SocketListening {
  readonly transport: SocketAddress['transport']
  readonly host: string
  readonly port: number
  /** Stops accepting, and stores everything that has arrived. Idempotent. */
  readonly stop: () => Promise<void>
}

/** True for an address that is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Properties of a protocol that the address check needs. */
export interface CheckedProtocol {
  readonly name: 'syslog' | 'forward'
  /** True if senders prove to know a shared secret. */
  readonly hasSecret: boolean
  /** Advice on how to allow other machines, besides `open-to`. */
  readonly hint: string
}

/** Throws `setup/…` for unsafe or missing settings. */
export function checkAddress(
  { transport, host = '127.0.0.1', backend, cert, key, ca, openTo }: SocketAddress,
  backends: readonly string[],
  { name, hasSecret, hint }: CheckedProtocol,
): void {
  const at = `${transport}://${host}`
  const refuse = (reason: string, why: string): never => {
    throw new SluiceError([setupDiagnostic(name, { at, reason, hint: why }, nowhere)])
  }
  if (backend === undefined ? backends.length > 1 : !backends.includes(backend))
    refuse('it must name one of the backends', 'Add `?backend=ID`.')
  if (transport === 'tls' && (cert === undefined || key === undefined))
    refuse('it needs a certificate and its key', 'Add `?cert=FILE&key=FILE`.')
  if (transport !== 'tls' && (cert ?? key ?? ca) !== undefined) refuse('only tls has certificates', 'Write `tls://`.')
  if (!isLoopback(host) && ca === undefined && !hasSecret && openTo !== 'everyone')
    refuse(`${name} has no key: everyone who reaches this address could write`, hint)
}
