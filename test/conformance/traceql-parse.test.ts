import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readTraceqlVectors, traceqlVectors, wrongRefusals } from './traceql-parse.ts'

describe.skipIf(!existsSync(traceqlVectors))('TraceQL vectors', () => {
  test('refused queries are refused with the same text', () => {
    expect(wrongRefusals(readTraceqlVectors('errors.jsonl'))).toEqual([])
  })

  test.each(['search.jsonl', 'metrics.jsonl'])('queries of %s are accepted', (file) => {
    expect(wrongRefusals(readTraceqlVectors(file))).toEqual([])
  })
})
