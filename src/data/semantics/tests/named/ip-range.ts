import { toText } from '../../../value.ts'
import { parseIpv4, parseIpv4Cidr, parseIpv6, parseIpv6Cidr } from '../../network.ts'
import type { NamedTest } from './definition.ts'

/** Removes the zone of an IPv6 address, such as `%eth0`, which is local to the machine. */
function withoutZone(text: string): string {
  const percent = text.indexOf('%')
  return percent > 0 && percent < text.length - 1 && text.includes(':') ? text.slice(0, percent) : text
}

/**
 * Arguments: one address or CIDR block, or the first and last address. The whole value must be an address in the range;
 * one trailing blank is allowed.
 */
export const ipv4Range: NamedTest = {
  name: 'ipv4-range',
  text: (args) => {
    const block = args.length === 1 ? parseIpv4Cidr(toText(args[0] ?? null)) : undefined
    const first = block?.first ?? parseIpv4(toText(args[0] ?? null))
    const last = block?.last ?? parseIpv4(toText(args[1] ?? null))
    if (first === undefined || last === undefined) return () => false
    return (text) => {
      const address = parseIpv4(text.endsWith(' ') ? text.slice(0, -1) : text)
      return address !== undefined && address >= first && address <= last
    }
  },
}

/** Like `ipv4-range` for IPv6. A zone may follow the address. An IPv4 address is compared in its mapped form. */
export const ipv6Range: NamedTest = {
  name: 'ipv6-range',
  text: (args) => {
    const block = args.length === 1 ? parseIpv6Cidr(toText(args[0] ?? null)) : undefined
    const first = block?.first ?? parseIpv6(toText(args[0] ?? null))
    const last = block?.last ?? parseIpv6(toText(args[1] ?? null))
    if (first === undefined || last === undefined) return () => false
    return (text) => {
      const address = parseIpv6(withoutZone(text))
      return address !== undefined && address >= first && address <= last
    }
  },
}
