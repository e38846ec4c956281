import { describe, expect, test } from 'vitest'
import { applyFix, insertAt, isError, present, span } from '../../../../src/base/index.ts'
import { logDiagnostic, parse } from '../../../../src/lang/log/index.ts'
import { MAX_CHARACTERS, MAX_TRIES, withRepairs } from '../../../../src/lang/log/repair/repair.ts'

function mended(text: string): string | undefined {
  const fix = parse(text).diagnostics.find(isError)?.fixes[0]
  return fix && applyFix(text, fix)
}

const errors = (text: string): number => parse(text).diagnostics.filter(isError).length

describe('the first fix', () => {
  test.each([
    ['content:~"\\d+"', 'content:~"\\\\d+"'],
    ['level===error', 'level:=error'],
    ['(error || fatal) -retry', '(error or fatal) -retry'],
    ['* | sort by (level descending)', '* | sort by (level desc)'],
    ['* | sort by (level dsc) limit 5', '* | sort by (level desc) limit 5'],
    ['* | stats by (level count() as n', '* | stats by (level) count() as n'],
    ['* | uniq by (workload)) limit 10', '* | uniq by (workload) limit 10'],
    ['* | sort workload, _time desc | limit 5', '* | sort (workload, _time desc) | limit 5'],
    ['{cluster="eu", namespace!="test} | limit 5', '{cluster="eu", namespace!="test"} | limit 5'],
    ['level = "error | limit 5', 'level = "error" | limit 5'],
    ['tags:in(canary, beta | limit 5', 'tags:in(canary, beta) | limit 5'],
    ['@timestamp:5m error', '"@timestamp":5m error'],
    ['level:@error', 'level:"@error"'],
    ['* | fields a, @b', '* | fields a, "@b"'],
    ['load:50%', 'load:"50%"'],
    ['m:*50%*', 'm:*"50%"*'],
    ['*@x*', '*"@x"*'],
    ['a||b', 'a or b'],
    ['a)b', 'a b'],
    ['a;b', 'a b'],
    ['(contians_all(a, b))', '(contains_all(a, b))'],
    ['content ~* "^panic"', 'content ~ "(?i)^panic"'],
    ['| level:error | limit 5', 'level:error | limit 5'],
    ['* | extract "id=<id> from content', '* | extract "id=<id>" from content'],
    ['* | lencontent) as bytes', '* | len(content) as bytes'],
  ])('of %s', (text, expected) => expect(mended(text)).toBe(expected))
})

describe('no fix', () => {
  test.each([
    '* | format "<foo"',
    '* | extract "<foo"',
    'vat(amount, 0.1)',
    '* | vat(amount, 0.1)',
    '* | math vat(amount, 0.1) as tax',
    '* | stats vat(amount, 0.1) as tax',
    '* | sort by (level) limit',
    '* | offset',
    '* | top',
    '* | uniq by (level) limit',
    '* | rename level',
    'level:error | sample',
  ])('writes what stands nowhere in %s', (text) => {
    const { diagnostics } = parse(text)
    for (const { fixes } of diagnostics) for (const fix of fixes) expect(applyFix(text, fix)).not.toContain('10')
  })

  test('leaves the text with the error that it is for', () => {
    for (const text of ['status:i"10.0.0.1")', 'a)b) c(', '"x" a(b', '* | join on level) (*)', '* | stats sum"a") n']) {
      const before = parse(text).diagnostics.filter(isError)
      for (const { code, fixes } of before) {
        for (const fix of fixes) {
          const after = parse(applyFix(text, fix)).diagnostics.filter(isError)
          expect(after.length, `${text}: ${code} by ${fix.title}`).toBeLessThan(before.length)
        }
      }
    }
  })

  test('is a limit of ten but where the other dialect reads one without a number', () => {
    expect(mended('* | limit')).toBe('* | limit 10')
  })
})

describe('fixes', () => {
  test('that are searched for leave fewer errors', () => {
    for (const text of [
      '* | srot by (level',
      '(((',
      '"a',
      'a:b:c',
      '* | stats by level count( | limit x',
      ')(',
      '* | | |',
    ]) {
      const before = errors(text)
      expect(before, text).toBeGreaterThan(0)
      const fixes = parse(text).diagnostics.find(isError)?.fixes ?? []
      const left = fixes.map((fix) => errors(applyFix(text, fix)))
      // Correcting a word may uncover another mistake after it.
      expect(Math.max(0, ...left), text).toBeLessThanOrEqual(before)
      expect(left, text).toEqual(left.toSorted((a, b) => a - b))
    }
  })

  test('are searched for when they are asked for, once', () => {
    let tries = 0
    const found = logDiagnostic('unexpected', { found: ')', expected: [] }, span(2, 3))
    const [diagnostic] = withRepairs('a )', [found], (text) => (tries++, text.includes(')') ? [found] : []))
    expect(tries).toBe(0)
    expect(applyFix('a )', present(diagnostic?.fixes[0])).trim()).toBe('a')
    const spent = tries
    expect(spent).toBeGreaterThan(0)
    expect(diagnostic?.fixes).toBe(diagnostic?.fixes)
    expect(tries).toBe(spent)
  })

  test('of one text are bounded in tries and characters, however many errors it has', () => {
    for (const length of [10, 100, 1_000, 10_000, 60_000]) {
      const text = ') ('.repeat(length / 2).slice(0, length)
      const own = [insertAt(0, 'x')]
      const diagnostics = Array.from({ length: 20 }, (_, i) => ({
        ...logDiagnostic('unexpected', { found: ')', expected: [] }, span(i % length, (i % length) + 1)),
        fixes: own,
      }))
      let tries = 0
      let characters = 0
      const repaired = withRepairs(text, diagnostics, (made) => {
        tries++
        characters += made.length
        return diagnostics
      })
      for (const each of repaired) expect(each.fixes).toEqual(length > MAX_CHARACTERS ? own : [])
      expect(tries).toBeLessThanOrEqual(MAX_TRIES)
      expect(characters).toBeLessThanOrEqual(MAX_CHARACTERS)
    }
  })

  test('of long texts are those of the diagnostic', () => {
    const text = `${'a'.repeat(40_000)} | srot by (level)`
    const [fault] = parse(text).diagnostics
    expect(fault?.fixes.map((fix) => fix.edits[0]?.text)).toContain('sort')
  })

  test('never throw, whatever the text holds', () => {
    for (const text of ['\ud800"', '(((((', '"\\', '{', '|||', 'a:b:c:d', '\0\0"', 'in(in(in(', '('.repeat(300)]) {
      for (const { fixes } of parse(text).diagnostics)
        for (const fix of fixes) expect(applyFix(text, fix)).not.toBe(text)
    }
  })
})
