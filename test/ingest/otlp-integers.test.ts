import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { integer } from '../../src/data/index.ts'
import { anyJson, unixNano } from '../../src/ingest/otlp/attributes.ts'
import { exactInteger } from '../../src/ingest/otlp/message-reader.ts'

const edges = [
  0n,
  1n,
  -1n,
  255n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 32n,
  2n ** 52n,
  -(2n ** 52n),
  2n ** 52n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
]
const all = [...edges, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)]

function packedOf(value: bigint, kind: 'int64' | 'fixed64'): number | bigint {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  const reader = protobuf.Reader.create(bytes)
  return exactInteger(kind === 'int64' ? reader.sfixed64() : reader.fixed64())
}

test.each(all)('%d is read as it was sent, packed and as a text', (value) => {
  const packed = packedOf(value, 'int64')
  expect(anyJson({ intValue: packed })).toBe(integer(value))
  expect(anyJson({ intValue: String(value) })).toBe(integer(value))
})

test('times are unsigned, and none is none', () => {
  for (const ns of [1n, 1_767_225_600_123_456_789n, 2n ** 63n, 2n ** 64n - 1n]) {
    expect(unixNano(packedOf(ns, 'fixed64'))).toBe(ns)
    expect(unixNano(String(ns))).toBe(ns)
  }
  expect([undefined, '0', '', 'x', packedOf(0n, 'fixed64')].map(unixNano)).toEqual(Array(5).fill(undefined))
})
