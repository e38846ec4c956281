import { describe, expect, test } from 'vitest'
import { applyFix, isError } from '../../src/base/index.ts'
import { parse } from '../../src/lang/log/index.ts'
import { repair } from '../../src/services/index.ts'
import { options } from './options.ts'

function mended(text: string): string | undefined {
  const fault = parse(text).diagnostics.find(isError)
  const fix = fault && repair(text, fault, options)[0]
  return fix && applyFix(text, fix)
}

describe('repair', () => {
  test.each([
    ['content:~"\\d+"', 'content:~"\\\\d+"'],
    ['level===error', 'level:=error'],
    ['(error || fatal) -retry', '(error or fatal) -retry'],
    ['* | sort by (level descending)', '* | sort by (level desc)'],
    ['* | sort by (level dsc) limit 5', '* | sort by (level desc) limit 5'],
    ['* | stats by (level count() as n', '* | stats by (level) count() as n'],
    ['* | uniq by (workload)) limit 10', '* | uniq by (workload) limit 10'],
    ['* | top 5 by workload, level', '* | top 5 by (workload, level)'],
    ['{cluster="eu", namespace!="test} | limit 5', '{cluster="eu", namespace!="test"} | limit 5'],
    ['level = "error | limit 5', 'level = "error" | limit 5'],
    ['tags:in(canary, beta | limit 5', 'tags:in(canary, beta) | limit 5'],
    ['* | sort by (level) limit', '* | sort by (level) limit 10'],
  ])('%s', (text, expected) => expect(mended(text)).toBe(expected))

  test('what it offers reads to the end', () => {
    for (const text of [
      '* | srot by (level',
      '(((',
      '"a',
      'a:b:c',
      '* | stats by level count( | limit x',
      ')(',
      '* | | |',
    ]) {
      const fault = parse(text).diagnostics.find(isError)
      if (fault === undefined) throw new Error(`${text} reads`)
      const fixes = repair(text, fault, options)
      if (fixes === fault.fixes) continue
      for (const fix of fixes) expect(parse(applyFix(text, fix)).diagnostics.filter(isError)).toEqual([])
    }
  })

  test('long texts keep the fixes they have', () => {
    const text = `${'a '.repeat(3000)}| srot by (level)`
    const [fault] = parse(text).diagnostics
    expect(repair(text, fault, options)).toBe(fault.fixes)
  })
})
