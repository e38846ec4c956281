import { isIP } from 'node:net'
import { SluiceError, nowhere } from '../../../base/index.ts'
import { setupDiagnostic } from '../../errors/setup-diagnostics.ts'

/** Where a protocol without keys is taken, and whose it is. */
export interface SocketAddress {
  readonly transport: 'udp' | 'tcp' | 'tls'
  /** The loopback address unless given. */
  readonly host?: string | undefined
  /** 0 picks a free one. */
  readonly port: number
  /** Must be named where there are several. */
  readonly backend?: string | undefined
  /** Zone of times that name none: of the IANA database, or an offset as `+02:00`. UTC unless given. */
  readonly zone?: string | undefined
  /** In PEM, for `tls`. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Certificates in PEM, one of which must have signed that of a sender. */
  readonly ca?: string | undefined
  /** Other machines are listened to only where this says so, or they have to show something. */
  readonly openTo?: 'everyone' | undefined
}

export interface SocketListening {
  readonly transport: SocketAddress['transport']
  readonly host: string
  readonly port: number
  /** Takes no more, and stores what has come. Calling it again gives the same promise. */
  readonly stop: () => Promise<void>
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** What the check needs to know of a protocol. */
export interface CheckedProtocol {
  readonly name: 'syslog' | 'forward'
  /** Whether senders prove that they know a secret. */
  readonly hasSecret: boolean
  /** How other machines can be let in, beside `open-to`. */
  readonly hint: string
}

/** Throws `setup/…` for what is not safe or not there. */
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
