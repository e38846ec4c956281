import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { Bytes } from '../../../../src/base/index.ts'
import { exampleContext, readTime } from '../../../../src/data/index.ts'
import { RecordTimeReader } from '../../../../src/store/memory/records/time-bytes.ts'

const two = (most: number): fc.Arbitrary<string> => fc.nat(most).map((number) => String(number).padStart(2, '0'))
const clock = fc.tuple(two(24), two(60), two(60)).map((parts) => parts.join(':'))
const fraction = fc.constantFrom('', '.1', '.123', '.123456789', '.1234567890', '.', ',5', ',123', ',1234', ',123456')
const zone = fc.constantFrom('', 'Z', '+00:00', '-05:30', '+0200', '+23:59', '+24:00', '+14:60', 'z', '-00:00', '+2')
const month = fc.constantFrom('Jan', 'Feb', 'Mar', 'Dec', 'dec', 'Foo')
const year = fc.integer({ min: 1600, max: 2500 }).map(String)

const text = fc.oneof(
  fc
    .tuple(year, two(13), two(32), fc.constantFrom('T', ' ', 't', '_'), clock, fraction, zone)
    .map(([y, m, d, blank, time, part, offset]) => `${y}-${m}-${d}${blank}${time}${part}${offset}`),
  fc
    .tuple(two(32), month, year, clock, fc.constantFrom(' ', ''), zone)
    .map(([d, m, y, time, blank, offset]) => `${d}/${m}/${y}:${time}${blank}${offset}`),
  fc
    .tuple(
      month,
      fc.oneof(
        two(32),
        fc.nat(9).map((day) => ` ${day}`),
      ),
      clock,
    )
    .map(([m, d, time]) => `${m} ${d} ${time}`),
  fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
  fc.integer({ min: 10 ** 12, max: 10 ** 13 }).map(String),
)

test.prop([fc.array(text, { minLength: 1, maxLength: 4 }), fc.constantFrom(undefined, 'Europe/Berlin', '-07:00')], {
  numRuns: 3000,
})('bytes are the times that their text is', (texts, named) => {
  const context = { ...exampleContext, zone: named }
  const reader = new RecordTimeReader()
  for (const each of texts) {
    const bytes = Bytes.from(each)
    const isRead = reader.read(bytes, 0, bytes.length, context)
    const { seconds, nanos } = reader.parts
    const found = isRead ? BigInt(seconds) * 1_000_000_000n + BigInt(nanos) : undefined
    expect([each, found]).toEqual([each, readTime(each, context)])
  }
})
