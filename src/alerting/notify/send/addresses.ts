import { lookup as lookupAddresses, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { SluiceError, nowhere } from '../../../base/index.ts'
import { configDiagnostic } from '../config/index.ts'

/**
 * Networks that contain this machine, its neighbours or cloud metadata services, and networks that embed such
 * addresses.
 */
const PRIVATE: readonly (readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['::ffff:0:0:0', 96, 'ipv6'],
  ['2001::', 32, 'ipv6'],
  ['64:ff9b::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

const privateAddresses = new BlockList()
for (const [address, prefix, family] of PRIVATE) privateAddresses.addSubnet(address, prefix, family)

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Thrown for an address that may not be called. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/** Resolves a name to all its addresses. */
export type Resolver = (host: string) => Promise<readonly LookupAddress[]>

const systemResolver: Resolver = (host) =>
  new Promise((done, fail) => {
    lookupAddresses(host, { all: true }, (error, addresses) => (error === null ? done(addresses) : fail(error)))
  })

/**
 * Decides which addresses may be called: public ones, and those allowed by the configuration (protection against SSRF).
 */
export class AddressPolicy {
  readonly #hosts = new Set<string>()
  readonly #addresses = new BlockList()

  readonly #resolver: Resolver

  /** `allowed` has host names, addresses and CIDR ranges. Throws SluiceError `notify-config/bad-address`. */
  constructor(allowed: readonly string[], resolver = systemResolver) {
    this.#resolver = resolver
    for (const entry of allowed) {
      const [address = '', prefix] = entry.split('/')
      const bits = Number(prefix)
      const isAddress = isIP(address) !== 0
      const isRange = prefix !== undefined && /^\d{1,3}$/.test(prefix) && bits <= (isIP(address) === 6 ? 128 : 32)
      if (prefix === undefined ? entry === '' : !isAddress || !isRange)
        throw new SluiceError([configDiagnostic('bad-address', { entry }, nowhere)])
      if (!isAddress) this.#hosts.add(entry.toLowerCase())
      else if (prefix === undefined) this.#addresses.addAddress(address, familyOf(address))
      else this.#addresses.addSubnet(address, bits, familyOf(address))
    }
  }

  isAllowed(host: string, address: string): boolean {
    const family = familyOf(address)
    if (this.#hosts.has(host.toLowerCase()) || this.#addresses.check(address, family)) return true
    return !privateAddresses.check(address, family)
  }

  /** Resolves a host to the addresses that may be called. Rejects with RefusedAddress if there are none. */
  async resolve(host: string): Promise<readonly LookupAddress[]> {
    const all = await this.#resolver(host)
    const allowed = all.filter(({ address }) => this.isAllowed(host, address))
    if (allowed.length === 0) throw new RefusedAddress()
    return allowed
  }

  /** Lookup function for sockets. It guarantees that the socket connects to the address that was checked. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (options.all === true) done(null, [...addresses])
        else done(null, first?.address ?? '', first?.family)
      },
      (error: unknown) => done(error instanceof Error ? error : new RefusedAddress(), ''),
    )
  }
}
