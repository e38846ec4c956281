import { toText } from '../../../value.ts'
import { parseIpv4, parseIpv4Cidr, parseIpv6, parseIpv6Cidr } from '../../network.ts'
import type { NamedTest } from './definition.ts'

/**
 * Arguments: one address or CIDR block, or first and last address. The whole value must be an address of the range.
 */
export const ipv4Range: NamedTest = {
  name: 'ipv4-range',
  text: (args) => {
    const block = args.length === 1 ? parseIpv4Cidr(toText(args[0] ?? null)) : undefined
    const first = block?.first ?? parseIpv4(toText(args[0] ?? null))
    const last = block?.last ?? parseIpv4(toText(args[1] ?? null))
    if (first === undefined || last === undefined) return () => false
    return (text) => {
      const address = parseIpv4(text)
      return address !== undefined && address >= first && address <= last
    }
  },
}

/** As `ipv4-range` for IPv6; an IPv4 address counts as its mapped form. */
export const ipv6Range: NamedTest = {
  name: 'ipv6-range',
  text: (args) => {
    const block = args.length === 1 ? parseIpv6Cidr(toText(args[0] ?? null)) : undefined
    const first = block?.first ?? parseIpv6(toText(args[0] ?? null))
    const last = block?.last ?? parseIpv6(toText(args[1] ?? null))
    if (first === undefined || last === undefined) return () => false
    return (text) => {
      const address = parseIpv6(text)
      return address !== undefined && address >= first && address <= last
    }
  },
}
