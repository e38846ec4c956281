import { parseIpv4, parseIpv4Cidr, parseIpv6, parseIpv6Cidr, type AddressRange } from '../../data/index.ts'

/**
 * The addresses that `ip("…")` matches: one address, a network, or a range. An IPv4 address never matches an IPv6 set,
 * nor the reverse.
 */
export type AddressSet =
  | { readonly version: 4; readonly range: AddressRange<number> }
  | { readonly version: 6; readonly range: AddressRange<bigint> }

function isV6(text: string): boolean {
  return text.includes(':')
}

/** Parses `10.0.0.0`, `10.0.0.0/8`, `10.0.0.1-10.0.0.9`, or the same forms for IPv6; `undefined` for other strings. */
export function readAddressSet(text: string): AddressSet | undefined {
  const dash = text.indexOf('-')
  if (dash === -1) {
    if (!isV6(text)) {
      const range = parseIpv4Cidr(text)
      return range && { version: 4, range }
    }
    const range = parseIpv6Cidr(text)
    return range && { version: 6, range }
  }
  const [from, to] = [text.slice(0, dash), text.slice(dash + 1)]
  if (isV6(from) !== isV6(to)) return undefined
  if (isV6(from)) {
    const [first, last] = [parseIpv6(from), parseIpv6(to)]
    return first === undefined || last === undefined || first > last
      ? undefined
      : { version: 6, range: { first, last } }
  }
  const [first, last] = [parseIpv4(from), parseIpv4(to)]
  return first === undefined || last === undefined || first > last ? undefined : { version: 4, range: { first, last } }
}

/** True if the string is an address in the set, false if it is another address; `undefined` if it is not an address. */
export function holdsAddress({ version, range }: AddressSet, text: string): boolean | undefined {
  if (isV6(text)) {
    const address = parseIpv6(text)
    if (address === undefined) return undefined
    return version === 6 && address >= range.first && address <= range.last
  }
  const address = parseIpv4(text)
  if (address === undefined) return undefined
  return version === 4 && address >= range.first && address <= range.last
}

/**
 * Matches an address candidate: characters of addresses that begin like an IPv4 or IPv6 address. The match is then
 * parsed.
 */
const CANDIDATE = /\d{1,3}\.[\d.]*|(?:[\da-fA-F]{1,4}:|::[\da-fA-F])[\da-fA-F:.]*/g

/** True if a line contains an address in the set. */
export function lineHoldsAddress(set: AddressSet, line: string): boolean {
  for (const [candidate] of line.matchAll(CANDIDATE)) if (holdsAddress(set, candidate) === true) return true
  return false
}
