// @module-tag slow
import { describe, expect, test } from 'vitest'
import { SluiceError, present } from '../../../src/base/index.ts'
import { SampleFile } from '../../../src/store/sample-files/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { linesOf, manyKinds, samplesFile, seriesOf, sourceOf } from './file-of.ts'

const CODES = ['durable/damaged', 'durable/newer-version']

/** Returns everything read, or the code of an error that names the file. Other errors are rethrown. */
function outcome(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const { code, message } = present(error.diagnostics[0])
    expect(message).toContain(code === 'durable/damaged' ? 'test.samples' : 'version')
    return code
  }
}

function readAll(bytes: Buffer, length = bytes.length): unknown {
  const read = new SampleFile(sourceOf(bytes, length), new BlockCache(1 << 20))
  const series = read.labels.map((labels, place) => {
    const all = read.part(place)?.slice(-Infinity, Infinity)
    return [String(labels), all && linesOf(all)]
  })
  return { series, descriptions: read.descriptions(), exemplars: read.exemplars() }
}

describe('a damaged file of samples', () => {
  const { file } = samplesFile({
    series: seriesOf(manyKinds(5)),
    descriptions: [{ name: 'kind_1', type: 'gauge', help: '', unit: '' }],
  })
  const expected = readAll(file)
  const check = (bytes: Buffer, length?: number): unknown =>
    outcome(() => new SampleFile(sourceOf(bytes, length), new BlockCache(1 << 20)).check())

  test('is refused, whichever of its bytes has changed', () => {
    expect(check(file)).toBeUndefined()
    for (let at = 0; at < file.length; at++) {
      const bytes = Buffer.from(file)
      bytes[at] = present(bytes[at]) ^ (1 << (at % 8))
      expect([at, CODES.includes(String(check(bytes)))]).toEqual([at, true])
    }
  })

  test('never gives another answer', () => {
    for (let at = 0; at < file.length; at += 3) {
      const bytes = Buffer.from(file)
      bytes[at] = present(bytes[at]) ^ 0xff
      const found = outcome(() => readAll(bytes))
      if (typeof found === 'string') expect(CODES).toContain(found)
      else expect(found).toEqual(expected)
    }
  })

  test('is refused at whichever byte it ends', () => {
    for (let length = 0; length < file.length; length += length < 100 ? 1 : 3) {
      expect([length, check(file.subarray(0, length))]).toEqual([length, 'durable/damaged'])
      expect([length, check(file.subarray(0, length), file.length)]).toEqual([length, 'durable/damaged'])
    }
    expect(check(Buffer.concat([file, file]), file.length)).toBe('durable/damaged')
  })
})
