import { describe, expect, test } from 'vitest'
import { joinQuestions, type JoinQuestion } from '../../bench/suites/join/questions.ts'
import { median, verdict, type Outcome } from '../../bench/suites/join/verdict.ts'
import { parse } from '../../src/lang/log/index.ts'

const MB = 1024 * 1024
const question = (mayBeRefused: boolean): JoinQuestion => ({
  id: 'J0',
  title: 'a question',
  table: 'logs',
  logs: 'logs',
  query: '*',
  sql: 'SELECT 1',
  mayBeRefused,
})

function answered(milliseconds: number, extraBytes?: number): Outcome {
  return { kind: 'answered', rows: [], milliseconds, extraBytes }
}

function refused(milliseconds: number): Outcome {
  return { kind: 'refused', code: 'budget/memory', milliseconds, extraBytes: MB }
}

const first = { own: answered(200, MB), peer: answered(60, MB) }

function broken(own: readonly Outcome[], peer: readonly Outcome[], mayBeRefused = false, difference?: string) {
  return verdict({ question: question(mayBeRefused), own, peer, difference, first }).broken
}

describe('the verdict of the join suite', () => {
  test('medians count: one slow run breaks nothing', () => {
    const own = [answered(900), answered(100), answered(120)]
    expect(median([900, 100, 120])).toBe(120)
    expect(broken(own, [answered(50), answered(45), answered(40)])).toEqual([])
    expect(
      verdict({ question: question(false), own, peer: [answered(45)], difference: undefined, first }).line,
    ).toContain('ratio 2.67, first 200 and 60 ms, peak +1 MB')
  })

  test('slower than three times the peer', () => {
    expect(broken([answered(151)], [answered(50)])).toEqual(["J0: 3.02 times DuckDB's time"])
    expect(broken([answered(2.5)], [answered(0.1)])).toEqual([])
  })

  test('answers that differ, and peaks too high', () => {
    expect(broken([answered(1)], [answered(1)], false, 'row 3')).toEqual(['J0: the answers differ: row 3'])
    const peaks = (own: number, peer: number): readonly string[] =>
      verdict({
        question: question(false),
        own: [answered(1)],
        peer: [answered(1)],
        difference: undefined,
        first: { own: answered(1, own * MB), peer: answered(1, peer * MB) },
      }).broken
    expect(peaks(513, 1)).toEqual(['J0: peak 513 MB above the loaded data'])
    expect(peaks(512, 4000)).toEqual([])
  })

  test('a crash is never right, a refusal only where it is allowed, and soon', () => {
    const crashed: Outcome = { kind: 'crashed', how: 'exit 1' }
    expect(broken([crashed], [], true)).toEqual(['J0: crashed, exit 1'])
    expect(broken([refused(20)], [{ kind: 'not-run' }], true)).toEqual([])
    expect(broken([refused(5_001)], [{ kind: 'not-run' }], true)).toEqual(['J0: refused only after 5001 ms'])
    expect(broken([refused(20)], [answered(1)])).toEqual(['J0: refused with budget/memory', 'J0: no times to compare'])
  })
})

test.each(joinQuestions.map((q) => [q.id, q] as const))('%s is a query', (_, { query }) => {
  expect(parse(query, {}).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})
