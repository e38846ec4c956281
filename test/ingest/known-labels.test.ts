import { array, assert, constantFrom, nat, oneof, property, string, tuple } from 'fast-check'
import protobuf from 'protobufjs'
import snappy from 'snappyjs'
import { expect, test } from 'vitest'
import { Bytes } from '../../src/base/index.ts'
import { Labels, type LabelPair } from '../../src/data/index.ts'
import { KnownLabels, KnownTexts, TextTable } from '../../src/ingest/metrics/known-labels.ts'
import { SentBytes } from '../../src/ingest/sent-bytes.ts'
import { decodeRemoteWrite } from '../../src/ingest/metrics/index.ts'

const texts = oneof(constantFrom('', 'a', 'b', 'job', 'pod', 'wide ä', '\u0001'), string({ maxLength: 4 }))
const sets = array(tuple(texts, texts), { maxLength: 6 })

/** Encodes a remote-write request, version 1. The first `split` labels precede the sample, the others follow it. */
function version1(series: readonly (readonly LabelPair[])[], split: number): Uint8Array {
  const writer = protobuf.Writer.create()
  for (const pairs of series) {
    writer.uint32(10).fork()
    const label = ([name, value]: LabelPair): unknown =>
      writer.uint32(10).fork().uint32(10).string(name).uint32(18).string(value).ldelim()
    const all: readonly LabelPair[] = [['__name__', 'm'], ...pairs]
    for (const pair of all.slice(0, split)) label(pair)
    writer.uint32(18).fork().uint32(9).double(1).uint32(16).int64(1000).ldelim()
    for (const pair of all.slice(split)) label(pair)
    writer.ldelim()
  }
  return snappy.compress(writer.finish())
}

function version2(series: readonly (readonly LabelPair[])[]): Uint8Array {
  const symbols = ['']
  const refs = series.map((pairs) =>
    [['__name__', 'm'], ...pairs].flatMap((pair) => pair.map((text) => symbols.push(text) - 1)),
  )
  const writer = protobuf.Writer.create()
  for (const symbol of symbols) writer.uint32(34).string(symbol)
  for (const own of refs) {
    writer.uint32(42).fork().uint32(10).fork()
    for (const ref of own) writer.uint32(ref)
    writer.ldelim().uint32(18).fork().uint32(9).double(1).uint32(16).int64(1000).ldelim().ldelim()
  }
  return snappy.compress(writer.finish())
}

const keysOf = (body: Uint8Array, version: 1 | 2): readonly string[] =>
  decodeRemoteWrite(body, { version, limitBytes: 1 << 20 }).samples.map(({ labels }) => labels.key)

test('label sets of a request are those that were sent, met for the first time or again', () => {
  assert(
    property(array(sets, { minLength: 1, maxLength: 5 }), nat(7), (series, split) => {
      const expected = series
        .map((pairs) => Labels.from([['__name__', 'm'], ...pairs]))
        .filter(({ metricName }) => metricName !== '')
        .map(({ key }) => key)
      for (let again = 0; again < 2; again++) {
        expect(keysOf(version1(series, split), 1)).toEqual(expected)
        expect(keysOf(version2(series), 2)).toEqual(expected)
      }
    }),
  )
})

test('a series of more labels than there may be is refused, however they are written', () => {
  const pairs = Array.from({ length: 300 }, (_, i): LabelPair => [`l${i}`, 'x'])
  const { samples, bad } = decodeRemoteWrite(version1([pairs, []], 400), { version: 1, limitBytes: 1 << 20 })
  expect(samples).toHaveLength(1)
  expect(bad).toMatchObject([{ position: 0, reason: 'it has more than 128 labels' }])
})

test('a label that reaches behind its series is refused', () => {
  const writer = protobuf.Writer.create()
  // The label has two bytes but claims a name of a hundred bytes.
  writer.uint32(10).fork().uint32(10).fork().uint32(10).uint32(100).ldelim().ldelim()
  writer.uint32(10).fork().uint32(18).bytes(new Uint8Array(200)).ldelim()
  const read = (): unknown => decodeRemoteWrite(snappy.compress(writer.finish()), { version: 1, limitBytes: 1 << 20 })
  expect(read).toThrow('not a remote-write message')
})

test('the cache is bounded, and evicted label sets are read again', () => {
  const known = new KnownLabels(2)
  const made: string[] = []
  const of = (text: string): string => {
    const bytes = Bytes.from(text, 'latin1')
    const make = (): Labels => {
      made.push(text)
      return Labels.of({ text })
    }
    const found = known.ofBytes(new SentBytes(bytes), 0, bytes.length, make)
    return typeof found === 'string' ? found : found.get('text')
  }
  expect(['a', 'b', 'a', 'c', 'c', 'a'].map(of)).toEqual(['a', 'b', 'a', 'c', 'c', 'a'])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

test('texts that are not there, and a name without a value, are no labels', () => {
  const table = new TextTable()
  for (const text of ['a', 'b']) table.add(text)
  const known = new KnownLabels()
  const make = ([name = '', value = '']: readonly string[]): Labels => Labels.of({ [name]: value })
  expect(known.ofTexts([0, 1], table, make)).toEqual(Labels.of({ a: 'b' }))
  expect([known.ofTexts([0, 2], table, make), known.ofTexts([0], table, make)]).toEqual([undefined, undefined])
})

test('texts that came lately are those that were sent', () => {
  const known = new KnownTexts()
  const sent = array(oneof(texts, constantFrom('x'.repeat(64), 'x'.repeat(65), 'ä'.repeat(40))), { maxLength: 40 })
  assert(
    property(sent, (all) => {
      const writer = protobuf.Writer.create()
      for (const text of all) writer.string(text)
      const bytes = Bytes.from(writer.finish())
      const reader = protobuf.Reader.create(bytes)
      expect(all.map(() => known.read(reader, bytes))).toEqual(all.map((text) => Buffer.from(text).toString()))
      expect(reader.pos).toBe(bytes.length)
    }),
  )
  expect(() => known.read(protobuf.Reader.create(Buffer.from([9, 97])), Bytes.from([9, 97]))).toThrow('out of range')
})
