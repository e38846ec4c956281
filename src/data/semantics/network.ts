/** Returns the 32-bit number of a dotted IPv4 address; `undefined` for any other string. */
export function parseIpv4(text: string): number | undefined {
  const { length } = text
  if (length < 7 || length > 15) return undefined
  let address = 0
  let octet = -1
  let dots = 0
  for (let i = 0; i <= length; i++) {
    const unit = i === length ? 46 : text.charCodeAt(i)
    if (unit === 46) {
      if (octet === -1) return undefined
      address = address * 256 + octet
      octet = -1
      dots++
    } else if (unit >= 48 && unit <= 57) {
      octet = (octet === -1 ? 0 : octet * 10) + (unit - 48)
      if (octet > 255) return undefined
    } else {
      return undefined
    }
  }
  return dots === 4 ? address : undefined
}

export function formatIpv4(address: number): string {
  return `${Math.floor(address / 16777216) % 256}.${Math.floor(address / 65536) % 256}.${Math.floor(address / 256) % 256}.${address % 256}`
}

/** The first and last address of a range, both included. */
export interface AddressRange<A> {
  readonly first: A
  readonly last: A
}

function parseMaskBits(text: string, max: number): number | undefined {
  if (!/^\d{1,3}$/.test(text)) return undefined
  const bits = Number(text)
  return bits <= max ? bits : undefined
}

/** Parses a CIDR block such as `10.0.0.0/8`, or one address; `undefined` for other strings. */
export function parseIpv4Cidr(text: string): AddressRange<number> | undefined {
  const slash = text.indexOf('/')
  const address = parseIpv4(slash === -1 ? text : text.slice(0, slash))
  const bits = slash === -1 ? 32 : parseMaskBits(text.slice(slash + 1), 32)
  if (address === undefined || bits === undefined) return undefined
  const size = 2 ** (32 - bits)
  const first = address - (address % size)
  return { first, last: first + size - 1 }
}

const MAPPED = 0xffffn << 32n

/**
 * Returns the 128-bit number of an IPv6 address, or of the mapped form of an IPv4 address. `undefined` for other
 * strings, also with a zone suffix.
 */
export function parseIpv6(text: string): bigint | undefined {
  const v4 = parseIpv4(text)
  if (v4 !== undefined) return MAPPED | BigInt(v4)
  if (text.length < 2 || text.length > 45 || !text.includes(':')) return undefined
  const [left = '', right, ...more] = text.split('::')
  if (more.length > 0) return undefined
  const head = readGroups(left, right === undefined)
  const tail = right === undefined ? [] : readGroups(right, true)
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (right === undefined ? missing !== 0 : missing < 1) return undefined
  let address = 0n
  for (const group of [...head, ...Array.from({ length: missing }, () => 0), ...tail]) {
    address = (address << 16n) | BigInt(group)
  }
  return address
}

/** Parses groups of 16 bits. If `mayEndDotted`, the last two may be a dotted IPv4 address. */
function readGroups(text: string, mayEndDotted: boolean): readonly number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16))
      continue
    }
    const v4 = mayEndDotted && i === parts.length - 1 ? parseIpv4(part) : undefined
    if (v4 === undefined) return undefined
    groups.push(Math.floor(v4 / 65536), v4 % 65536)
  }
  return groups
}

/** Parses a CIDR block such as `2001:db8::/32`, or one address; `undefined` for other strings. */
export function parseIpv6Cidr(text: string): AddressRange<bigint> | undefined {
  const slash = text.indexOf('/')
  const address = parseIpv6(slash === -1 ? text : text.slice(0, slash))
  const bits = slash === -1 ? 128 : parseMaskBits(text.slice(slash + 1), 128)
  if (address === undefined || bits === undefined) return undefined
  const hostBits = BigInt(128 - bits)
  const first = (address >> hostBits) << hostBits
  return { first, last: first | ((1n << hostBits) - 1n) }
}

/**
 * Returns the canonical form of an address: lower case, the longest run of zero groups as `::`, mapped IPv4 addresses
 * dotted.
 */
export function formatIpv6(address: bigint): string {
  if (address >> 32n === 0xffffn) return `::ffff:${formatIpv4(Number(address & 0xffffffffn))}`
  const groups = Array.from({ length: 8 }, (_, i) => Number((address >> BigInt(112 - 16 * i)) & 0xffffn))
  let best = { start: -1, length: 1 }
  for (let i = 0; i < 8; i++) {
    let end = i
    while (end < 8 && groups[end] === 0) end++
    if (end - i > best.length) best = { start: i, length: end - i }
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  if (best.start === -1) return hex(groups)
  return `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.length))}`
}
