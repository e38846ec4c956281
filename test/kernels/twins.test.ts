import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { foldTables } from '../../src/data/semantics/number-folds.ts'
import { decimalTables, layout } from '../../src/kernels/index.ts'
import type { Views } from '../../src/kernels/plain/views.ts'
import { ByteAutomaton } from '../../src/store/index.ts'
import { both, bytesAt, INPUT_AT, LAST_AT, OUT_AT, wordsAt } from './both.ts'

/** Lengths around the vector widths that kernels process: zero, one, a vector, four vectors. */
const lengths = fc.oneof(fc.constantFrom(0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129), fc.nat(200))
const bytes = (of: fc.Arbitrary<number> = fc.nat(255)): fc.Arbitrary<readonly number[]> =>
  lengths.chain((length) => fc.array(of, { minLength: length, maxLength: length }))
/** Bytes that kernels treat specially: letters in both cases, word boundaries, quotes, and both bytes of `é`. */
const commonBytes = bytes(fc.constantFrom(...new TextEncoder().encode('abAB_ .0"\\\né')))
const texts = fc.array(fc.oneof(commonBytes, bytes()), { maxLength: 12 })
const doubles = fc.array(
  fc.oneof(
    fc.double(),
    fc.constantFrom(0, -0, NaN, Infinity, 1e21, 1e-6, 9.99e-7, 2 ** 53, 5e-324),
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
    fc.nat({ max: 2 ** 50 }),
  ),
  { maxLength: 70 },
)

/** Writes strings so that the last one ends at the end of the memory, and their offsets at `offsetsAt`. */
function putTexts(views: Views, rows: readonly (readonly number[])[], offsetsAt: number): number {
  const all = rows.flat()
  const textAt = LAST_AT - all.length
  views.bytes.set(all, textAt)
  let offset = 0
  views.words[offsetsAt / 4] = 0
  for (const [i, row] of rows.entries()) views.words[offsetsAt / 4 + i + 1] = offset += row.length
  return textAt
}

const isLetter = (byte: number): boolean => byte >= 97 && byte <= 122

describe('kernels leave what their plain twins leave', () => {
  test.prop([texts, fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }), fc.nat(), fc.boolean(), fc.nat(3)], {
    numRuns: 500,
  })('findLiteral', (rows, [length = 0, from = 0], seed, isFolded, edges) => {
    const all = rows.flat()
    const start = all.length === 0 ? 0 : seed % all.length
    const drawn = all
      .slice(start, start + 1 + length)
      .map((byte) => (isFolded && byte >= 65 && byte <= 90 ? byte + 32 : byte))
    const needle = drawn.length === 0 ? [97] : drawn
    const first = Math.min(from, rows.length)
    const { compiled, plain } = both((kernels, views) => {
      const offsetsAt = INPUT_AT
      const textAt = putTexts(views, rows, offsetsAt)
      views.bytes.set(needle, 0)
      views.bytes.set(
        needle.map((byte) => (isFolded && isLetter(byte) ? 0x20 : 0)),
        512,
      )
      for (let byte = 0; byte < 128; byte++) if (/\w/.test(String.fromCharCode(byte))) views.bytes[1024 + byte] = byte
      const end = all.length
      const probes = [seed % needle.length, needle.length - 1] as const
      kernels.findLiteral(
        textAt,
        views.words[offsetsAt / 4 + first] ?? 0,
        end,
        offsetsAt + first * 4,
        0,
        needle.length,
        512,
        ...probes,
        edges,
        1024,
        2048,
      )
      return wordsAt(views, 2048, 2064)
    })
    expect(compiled).toEqual(plain)
  })

  test.prop([doubles, fc.array(fc.nat(4), { minLength: 70, maxLength: 70 }), fc.constantFrom(1, 1000, 1e15)])(
    'sumExactly',
    (values, groups, magnitude) => {
      const exponent = Math.ceil(Math.log2(magnitude)) + 1
      const { compiled, plain } = both((kernels, views) => {
        views.words.set(groups, INPUT_AT / 4)
        views.doubles.set(values, OUT_AT / 8)
        const end = kernels.sumExactly(
          INPUT_AT,
          OUT_AT,
          OUT_AT + values.length * 8,
          0,
          1.5 * 2 ** (exponent + 17),
          1.5 * 2 ** (exponent - 19),
          2 ** exponent,
          LAST_AT - 1024,
        )
        return [Array.from(views.doubles.subarray(0, (5 * layout.SUM_BYTES) / 8)), wordsAt(views, LAST_AT - 1024, end)]
      })
      expect(compiled).toEqual(plain)
    },
  )

  test.prop([
    fc.array(fc.oneof(fc.double({ min: -1000, max: 1000, noNaN: true }), fc.constant(NaN)), { maxLength: 70 }),
    fc.array(fc.nat(4), { minLength: 70, maxLength: 70 }),
    fc.integer({ min: 16, max: 24 }),
  ])('countByBits', (values, groups, shift) => {
    const high = (value: number): number => {
      const bits = new Int32Array(Float64Array.of(value).buffer)[1] ?? 0
      return (bits ^ ((bits >> 31) & 0x7fff_ffff)) >> shift
    }
    // Restrict the values to a limited range of buckets: with the smallest shift, the full range would need a table of
    // 64 KiB per group.
    const kept = values.map((value) => (Math.abs(value) < 2 ** -10 ? 0 : value))
    const base = high(-1000)
    const buckets = Math.min(4096, high(1000) - base + 1)
    const inTable = kept.map((value) => (Number.isNaN(value) || high(value) - base < buckets ? value : -1))
    const { compiled, plain } = both((kernels, views) => {
      const valuesAt = INPUT_AT + 512
      const valuesEnd = valuesAt + inTable.length * 8
      views.words.set(groups, INPUT_AT / 4)
      views.doubles.set(inTable, valuesAt / 8)
      kernels.countByBits(INPUT_AT, valuesAt, valuesEnd, buckets, shift, base, OUT_AT)
      return wordsAt(views, OUT_AT, OUT_AT + 5 * buckets * 4)
    })
    expect(compiled).toEqual(plain)
  })

  test.prop([fc.array(fc.tuple(fc.nat(6), fc.nat(9)), { maxLength: 200 }), fc.nat(3)])(
    'numberPairs',
    (pairs, known) => {
      const lefts = pairs.map(([left]) => left)
      const rights = pairs.map(([, right]) => right)
      const { compiled, plain } = both((kernels, views) => {
        const [rightsAt, tableAt, addedAt] = [INPUT_AT + 1024, INPUT_AT + 2048, INPUT_AT + 3072]
        views.words.set(lefts, INPUT_AT / 4)
        views.words.set(rights, rightsAt / 4)
        for (let i = 0; i < known; i++) views.words[tableAt / 4 + i * 10 + i] = i + 1
        const end = INPUT_AT + lefts.length * 4
        const count = kernels.numberPairs(INPUT_AT, end, rightsAt, tableAt, 10, addedAt, known)
        return [count, wordsAt(views, INPUT_AT, INPUT_AT + 4096)]
      })
      expect(compiled).toEqual(plain)
    },
  )

  const folded = fc.array(
    fc.oneof(
      fc.constantFrom(...Array.from('0019aAfFgTXxvshmZun_.-:/, [;+<')),
      fc.constantFrom('<N>', '<DATE>', '<TIME>', '1-2-3', '4:5:6', '1.2.3.4', '1-2-3-4-5', ' of words ', 'é'),
    ),
    { maxLength: 40 },
  )
  test.prop([folded, fc.nat(1)], { numRuns: 3000 })('foldNumbers', (parts, isPretty) => {
    const text = new TextEncoder().encode(parts.join(''))
    const { compiled, plain } = both((kernels, views) => {
      views.bytes.set(foldTables())
      views.bytes.set(text, LAST_AT - text.length)
      const end = kernels.foldNumbers(LAST_AT - text.length, LAST_AT, OUT_AT, 0, isPretty)
      return bytesAt(views, OUT_AT, end)
    })
    expect(compiled).toBe(plain)
  })

  test.prop([texts, fc.integer({ min: 2, max: 4 }), fc.nat(11)], { numRuns: 300 })(
    'quoteStrings',
    (rows, words, none) => {
      const { compiled, plain } = both((kernels, views) => {
        for (const [byte, letter] of ['\nn', '""', '\\\\', '\tt'])
          views.bytes[256 + (byte ?? '').charCodeAt(0)] = (letter ?? '').charCodeAt(0)
        let at = putTexts(views, rows, 2048)
        for (const [i, row] of rows.entries()) {
          views.words.set([i === none ? 0 : at, row.length], INPUT_AT / 4 + i * words)
          at += row.length
        }
        const end = kernels.quoteStrings(INPUT_AT, words * 4, rows.length, OUT_AT, 256, 0)
        return [bytesAt(views, OUT_AT, end), wordsAt(views, INPUT_AT, INPUT_AT + 1024), views.words[0]]
      })
      expect(compiled).toEqual(plain)
    },
  )

  test.prop([doubles], { numRuns: 1000 })('writeNumbers', (values) => {
    const { compiled, plain } = both((kernels, views) => {
      views.bytes.set(decimalTables())
      views.doubles.set(values, INPUT_AT / 8)
      const rangesAt = INPUT_AT + 1024
      const end = kernels.writeNumbers(rangesAt, 12, values.length, INPUT_AT, OUT_AT, 0, layout.Decimal.TABLE_BYTES)
      return [bytesAt(views, OUT_AT, end), wordsAt(views, rangesAt, rangesAt + 1024), wordsAt(views, 512, 516)]
    })
    expect(compiled).toEqual(plain)
  })

  test.prop([fc.array(fc.integer({ min: -2, max: 59_999_999_999 }), { maxLength: 70 }), fc.nat(32)])(
    'writeTimes',
    (nanos, prefixBytes) => {
      const { compiled, plain } = both((kernels, views) => {
        views.write('"2026-01-01T00:00:____________________'.slice(0, prefixBytes), 0)
        views.doubles.set(nanos, INPUT_AT / 8)
        const rangesAt = INPUT_AT + 1024
        const end = kernels.writeTimes(rangesAt, 8, nanos.length, INPUT_AT, 0, prefixBytes, OUT_AT)
        return [bytesAt(views, OUT_AT, end), wordsAt(views, rangesAt, rangesAt + 1024)]
      })
      expect(compiled).toEqual(plain)
    },
  )

  test.prop([
    fc.array(fc.tuple(bytes(), bytes(), bytes()), { maxLength: 4 }),
    fc.nat(5),
    fc.constantFrom(',', '\n', ',\n'),
  ])('joinPieces', (columns, rows, separator) => {
    const { compiled, plain } = both((kernels, views) => {
      const valuesAt = INPUT_AT + columns.length * layout.COLUMN_BYTES
      let at = putTexts(views, columns.flat(), 2048)
      const ranges = columns.map((pieces) =>
        pieces.map(({ length }) => {
          at += length
          return [at - length, length]
        }),
      )
      views.words.set(ranges.flatMap(([key, absent]) => [key, absent]).flat() as number[], INPUT_AT / 4)
      for (let row = 0; row < rows; row++) {
        for (const [i, [, , value]] of ranges.entries()) {
          // In each row a different column lacks its value.
          const own = row === i ? [0, 0] : (value ?? [])
          views.words.set(own, (valuesAt + (row * columns.length + i) * layout.Range.BYTES) / 4)
        }
      }
      const code = separator.charCodeAt(0) | ((separator.charCodeAt(1) || 0) << 8)
      const end = kernels.joinPieces(valuesAt, columns.length, INPUT_AT, rows, code, separator.length, OUT_AT)
      return bytesAt(views, OUT_AT, end)
    })
    expect(compiled).toEqual(plain)
  })

  test.prop([
    fc.array(
      fc.tuple(
        fc.oneof(fc.nat(2 ** 50), fc.constantFrom(-1, 2 ** 53, 2 ** 53 - 1)),
        fc.oneof(fc.double({ min: 1e-6, max: 1e20 }), fc.double(), fc.nat(1000)),
      ),
      { maxLength: 70 },
    ),
  ])('writePoints', (points) => {
    const { compiled, plain } = both((kernels, views) => {
      views.bytes.set(decimalTables())
      views.doubles.set(
        points.map(([time]) => time),
        INPUT_AT / 8,
      )
      views.doubles.set(
        points.map(([, value]) => value),
        INPUT_AT / 8 + 128,
      )
      const end = kernels.writePoints(INPUT_AT, INPUT_AT + 1024, points.length, OUT_AT, 0, layout.Decimal.TABLE_BYTES)
      return [bytesAt(views, OUT_AT, end), wordsAt(views, layout.Decimal.TABLE_BYTES, layout.Decimal.TABLE_BYTES + 4)]
    })
    expect(compiled).toEqual(plain)
  })

  test.prop([
    fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.oneof(fc.nat(50), fc.double())), { maxLength: 60 }),
    fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 30 }),
    fc.integer({ min: 1, max: 600 }),
    fc.nat(1),
  ])('rateWindows', (samples, steps, rangeMs, isCounter) => {
    const { compiled, plain } = both((kernels, views) => {
      let time = 0
      views.doubles.set(
        samples.map(([step]) => (time += step)),
        INPUT_AT / 8,
      )
      views.doubles.set(
        samples.map(([, value]) => value),
        INPUT_AT / 8 + 128,
      )
      let endMs = 0
      const ends = steps.map((step) => (endMs += step))
      views.doubles.set(ends, INPUT_AT / 8 + 256)
      const endsAt = INPUT_AT + 2048
      const first = kernels.rateWindows(
        INPUT_AT,
        INPUT_AT + samples.length * 8,
        INPUT_AT + 1024,
        endsAt,
        endsAt + ends.length * 8,
        OUT_AT,
        0,
        rangeMs,
        rangeMs / 1000,
        isCounter,
      )
      return [first, Array.from(views.doubles.subarray(OUT_AT / 8, OUT_AT / 8 + 30)), bytesAt(views, 0, 30)]
    })
    expect(compiled).toEqual(plain)
  })

  /** A value of a JSON line, well-formed or not. */
  const value = fc.oneof(
    fc.constantFrom(
      'true',
      'false',
      'null',
      'nul',
      'tru',
      '""',
      '"',
      '',
      '01',
      '-',
      '-0',
      '1.',
      '1.5e3',
      '0.25',
      '-12.5',
    ),
    fc.constantFrom('"\\n"', '"\\u00e9"', '"\\u00g0"', '"\\x"', '"é"', '"a\tb"', '{}'),
    fc.nat().map(String),
    fc.string({ maxLength: 40 }).map((text) => JSON.stringify(text)),
    fc
      .array(fc.constantFrom('error ', 'Error', 'err', 'x'), { maxLength: 12 })
      .map((parts) => JSON.stringify(parts.join(''))),
  )
  const list: fc.Arbitrary<string> = fc.oneof(
    fc.constantFrom(
      '[]',
      '[ ]',
      '[1,]',
      '[,]',
      '[{}]',
      '[{"a":1 , "b":[[]]}]',
      '[{"a"}]',
      '[1 2]',
      '[[[',
      '[1}',
      '[{]}',
    ),
    fc.jsonValue({ maxDepth: 4 }).map((made) => JSON.stringify([made])),
    fc.jsonValue({ maxDepth: 2 }).map((made) => JSON.stringify([made, made], undefined, ' ').replaceAll('\n', ' ')),
    fc.nat(70).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  )
  const cell = fc.oneof(
    fc.constantFrom('', '""', '"a,b"', '"a""b"', '"', 'a"b', '"é"', 'é', '"a"b', 'a\rb'),
    fc.stringMatching(/^[a-c ,"=é-]{0,24}$/),
  )
  const word = fc.oneof(
    fc.constantFrom('', '-', '--', '"', "'a'", '`a`', 'a=b', '"a\tb"', '"\u001b"', '"\\"', '"a\\"b"', 'é', 'a\x01'),
    fc.stringMatching(/^"?[a-c ="\\é]{0,24}"?$/),
    fc.nat().map(String),
  )
  const line = fc
    .tuple(
      fc.nat(5),
      fc.array(value, { minLength: 2, maxLength: 2 }),
      list,
      fc.array(cell, { minLength: 2, maxLength: 2 }),
      fc.array(word, { minLength: 2, maxLength: 2 }),
      fc.constantFrom('0', '5', '9', '/', ':', '=', '?', 'p', '\xb5'),
      fc.constantFrom('\n', '\r\n', ' \n'),
    )
    .map(([form, [a, b], nested, cells, [first, second], digit, end]) => {
      const forms = [
        `{"a":${a},"b":${b}}`,
        `{"message_of_sixteen":${a}}`,
        `{"list":${nested}}`,
        cells.join(','),
        `level=${first} msg=${second}`,
        `2026-01-0${digit} ${first} [${second}] ${b}`,
      ]
      return `${forms[form]}${end}`
    })

  const withoutErr = new ByteAutomaton([
    { isAtStart: false, places: Array.from('err', (char) => ({ bytes: new Set(Buffer.from(char)) })) },
    { isAtStart: true, places: [{ bytes: new Set([0x61, 0x62]), repeats: true }, { bytes: new Set([0x20]) }] },
  ])

  test.prop([fc.array(line, { maxLength: 12 }), fc.nat(5), fc.boolean()], { numRuns: 3000 })(
    'scanLines',
    (lines, template, isTight) => {
      const encoded = new TextEncoder().encode(lines.join(''))
      const { compiled, plain } = both((kernels, views) => {
        let free = INPUT_AT + 512
        const take = (length: number): number => (free += Math.ceil(length / 16) * 16) - Math.ceil(length / 16) * 16
        const put = (words: readonly number[]): number => {
          const at = take(words.length * 4)
          views.words.set(words, at / 4)
          return at
        }
        const literalOf = (literal: string, masks: (char: string) => number): number => {
          const at = take(Math.ceil(literal.length / 16) * layout.BLOCK_BYTES)
          for (let i = 0; i < literal.length; i++) {
            const place = at + (i >> 4) * layout.BLOCK_BYTES + (i & 15)
            views.bytes[place] = literal.charCodeAt(i)
            views.bytes[place + 16] = masks(literal.charAt(i))
          }
          return at
        }
        const needle = put(Array<number>(layout.Needle.BYTES / 4).fill(0))
        const needleText = take(32)
        views.write('err', needleText)
        views.bytes.fill(0x20, needleText + 16, needleText + 19)
        views.words.set([needleText, needleText + 16, 3, 0], needle / 4)
        const table = take(256)
        views.bytes.fill(1, table + 0x61, table + 0x7a)
        const automaton = take(layout.Automaton.ROWS_AT + withoutErr.rows.byteLength)
        views.bytes.set(withoutErr.columns, automaton)
        views.bytes.set(new Uint8Array(withoutErr.rows.buffer), automaton + layout.Automaton.ROWS_AT)
        interface Given {
          readonly flags?: number
          readonly needles?: number
          readonly syntax?: number
          readonly parameter?: number
          readonly masks?: (char: string) => number
        }
        const member = (literal: string, given: Given = {}): number[] => {
          const {
            flags = layout.Member.IS_KEPT,
            needles = 0,
            syntax = layout.Syntax.JSON,
            parameter = 0,
            masks = () => 0xff,
          } = given
          const blocks = Math.ceil(literal.length / 16)
          return [literalOf(literal, masks), blocks, literal.length, flags, needles, syntax, parameter]
        }
        const putTemplate = (needles: number, ...members: number[][]): number =>
          put([members.length - 1, needles, ...members.flat()])
        const [csv, comma] = [layout.Syntax.CSV, 0x2c]
        const digits = {
          syntax: layout.Syntax.FIXED,
          parameter: 11 | (10 << 16),
          masks: (c: string) => (c === '0' ? 0xf0 : 0xff),
        }
        expect(member('')).toHaveLength(layout.Member.BYTES / 4)
        const templates = [
          putTemplate(
            0,
            member('{"a":', { needles: needle }),
            member(',"b":', { flags: layout.Member.IS_REQUIRED }),
            member('}'),
          ),
          putTemplate(0, member('{"message_of_sixteen":', { needles: needle }), member('}')),
          putTemplate(0, member('{"list":'), member('}')),
          putTemplate(
            0,
            member('', { syntax: csv, parameter: comma }),
            member(',', { syntax: csv, parameter: comma }),
            member(''),
          ),
          putTemplate(
            0,
            member('level=', { syntax: layout.Syntax.LOGFMT }),
            member(' msg=', { syntax: layout.Syntax.LOGFMT }),
            member(''),
          ),
          putTemplate(
            needle,
            member('0000-00-00 ', digits),
            member('', { syntax: layout.Syntax.CLASS, parameter: table }),
            member(' [', { syntax: layout.Syntax.UNTIL, parameter: 0x5d }),
            member('] ', { syntax: layout.Syntax.DIGITS, parameter: 3 }),
            member(''),
          ),
          putTemplate(
            needle,
            member('0000-00-00 ', digits),
            member('', { syntax: layout.Syntax.UNTIL, parameter: 0x0a }),
            member(''),
          ),
          putTemplate(needle, member('level=', { syntax: layout.Syntax.WITHOUT, parameter: automaton }), member('')),
        ]
        views.words.set([templates.length, ...templates], INPUT_AT / 4)
        const textAt = LAST_AT - encoded.length
        views.bytes.set(encoded, textAt)
        const outEnd = OUT_AT + (isTight ? 20 : 4096)
        kernels.scanLines(textAt, LAST_AT, OUT_AT, outEnd, INPUT_AT, template, 0)
        const state = wordsAt(views, 0, 16)
        return [state, wordsAt(views, OUT_AT, state[layout.ScanState.OUT_AT / 4] ?? 0)]
      })
      expect(compiled).toEqual(plain)
    },
  )

  test.prop([texts, fc.nat(3), fc.boolean()], { numRuns: 500 })('foldWords and readWords', (rows, first, isTight) => {
    const { compiled, plain } = both((kernels, views) => {
      const stateAt = 1024
      const textAt = putTexts(views, rows, 2048)
      const bitsAt = INPUT_AT
      const [slots, entries, long, stream, ends] = [16, 48, 80, 96, 100].map((i) => OUT_AT + i * 512) as [
        number,
        number,
        number,
        number,
        number,
      ]
      views.bytes.fill(0xff, 0, layout.Word.MAX_BYTES)
      const most = isTight ? 40 : 1024
      const state = [0, 0, 0, 0, Math.min(most, 500), most * 7, most, 32 - 11, slots, entries, long, stream, ends]
      expect(state).toHaveLength(layout.WordsState.STATE_BYTES / 4)
      views.words.set(state, stateAt / 4)
      kernels.foldWords(textAt, bitsAt, LAST_AT)
      const folded = [
        bytesAt(views, textAt, LAST_AT),
        bytesAt(views, bitsAt, bitsAt + Math.floor((LAST_AT - textAt) / 8)),
      ]
      kernels.readWords(textAt, bitsAt, 2048, first, 0, rows.length, stateAt)
      const left = wordsAt(views, stateAt, stateAt + 16)
      const [count = 0, longEnd = 0, streamLength = 0, next = 0] = left
      return [
        folded,
        left,
        wordsAt(views, entries, entries + count * layout.Entry.BYTES),
        bytesAt(views, long, long + longEnd),
        wordsAt(views, stream, stream + streamLength * 4),
        wordsAt(views, ends + first * 4, ends + (first + next) * 4),
      ]
    })
    expect(layout.WordsState.COUNT_AT).toBe(0)
    expect(compiled).toEqual(plain)
  })
})
