import { describe, expect, test } from 'vitest'
import { compileTest, type ValueTest } from '../../src/data/index.ts'
import { prefilterOf, impliedTests } from '../../src/engine/prefilter.ts'
import { and, column, or, printExpr, test as tested, type Expr } from '../../src/plan/index.ts'

const range = (min: number, max: number): ValueTest => ({
  kind: 'range',
  min,
  max,
  isMinIncluded: true,
  isMaxIncluded: true,
})

const texts = [
  '12',
  '-3',
  '+4.5',
  '.5',
  '1e3',
  '0x1f',
  'inf',
  '-Infinity',
  'NaN',
  '15ms',
  '-2h30m',
  '3KiB',
  '10.0.0.1',
  '2026-03-17T10:00:00Z',
  '2026-03-17T10:00:00.5+02:00',
  '',
  ' 7',
  'a12',
  'Connection refused',
  'REFUSED: x',
  're-fused',
  'connection was refused by peer',
  'Ärger im Ofen',
  'ärger',
  'i',
  'user=12',
]

const tests: readonly ValueTest[] = [
  range(-Infinity, Infinity),
  range(0, 100),
  { kind: 'time-range', range: { startNs: 0n, endNs: 2n ** 62n } },
  { kind: 'regexp', pattern: '(?i)connection (was )?refused', isFolded: false },
  { kind: 'regexp', pattern: 'refused|user', isFolded: true },
  { kind: 'phrase', text: 'ärger', isFolded: true },
  { kind: 'sequence', phrases: ['connection', 'refused'], isFolded: true },
]

describe('conditions that are implied', () => {
  test.each(tests)('pass whatever $kind passes', (strong) => {
    const holds = compileTest(strong)
    for (const weaker of impliedTests(strong)) {
      const passes = compileTest(weaker)
      for (const text of texts) if (holds(text)) expect(passes(text), text).toBe(true)
    }
    expect(texts.some((text) => holds(text))).toBe(true)
  })

  test('ranges leave out texts that are no numbers', () => {
    expect(impliedTests(range(1, 2)).map((weaker) => texts.filter((text) => compileTest(weaker)(text)).length)).toEqual(
      [16, 16],
    )
  })

  test('loose ranges leave out numbers, and take texts that may be some', () => {
    const [loose = range(1, 2)] = impliedTests(range(1, 2))
    expect([1, 2, '7', '0.x'].filter(compileTest(loose))).toEqual([1, 2, '7', '0.x'])
    expect([0.5, 3n, 'x', true, null].filter(compileTest(loose))).toEqual([])
  })

  const odd: Expr = tested(column('a'), range(1, 2))
  const plain: Expr = tested(column('b'), { kind: 'equals', value: 'x', isFolded: false, isTyped: false })
  const none: Expr = tested(column('c'), { kind: 'empty' })
  const canTest = (part: Expr): boolean => part === plain || (part.kind === 'test' && part.test.kind === 'regexp')
  const shown = (expr: Expr): string | undefined => {
    const found = prefilterOf(expr, canTest)
    return found === undefined ? undefined : printExpr(found)
  }

  test('go down through AND and OR', () => {
    expect(prefilterOf(plain, canTest)).toBe(plain)
    expect(shown(odd)).toBe(printExpr(tested(column('a'), impliedTests(range(1, 2))[1] ?? range(1, 2))))
    expect(shown(and([odd, none]))).toBe(shown(odd))
    expect(shown(or([plain, odd]))).toContain(' or ')
    expect(shown(or([plain, none]))).toBeUndefined()
    expect(shown(none)).toBeUndefined()
  })
})
