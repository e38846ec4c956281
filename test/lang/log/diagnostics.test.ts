import { describe, expect, test } from 'vitest'
import { applyFix, present, spanOf } from '../../../src/base/index.ts'
import { logDiagnostic, parse, type ParseOptions } from '../../../src/lang/log/index.ts'

/**
 * A query with the reported span between ‹ and ›, its error code, and, if there is a fix, the query after the first
 * fix.
 */
type Marked = readonly [marked: string, code: string, fixed?: string]

const native: readonly Marked[] = [
  ['user:bob‹@›example.com', 'needs-quotes', 'user:"bob@example.com"'],
  ['load:50‹%›', 'needs-quotes', 'load:"50%"'],
  ['m:*50‹%›*', 'needs-quotes', 'm:*"50%"*'],
  ['m:50‹%›*', 'needs-quotes', 'm:"50%"*'],
  ['m:*a*b‹@›c', 'needs-quotes', 'm:*a*"b@c"'],
  ['*50‹%›* error', 'needs-quotes', '*"50%"* error'],
  ['path:‹a:b:c*›', 'colons-in-value', 'path:"a:b:c"*'],
  ['_stream:‹›', 'stream-braces', '_stream:*'],
  ['_stream:‹|› limit 5', 'stream-braces'],
  ['_stream:‹app›="x"', 'stream-braces', '_stream:{app="x"}'],
  ['_stream:‹[›app=~"x", b!="y"]', 'stream-braces', '_stream:{app=~"x", b!="y"}'],
  ['re("‹\\b›word\\b")', 'backspace', 're("\\\\bword\\\\b")'],
  ["~'‹\\b›foo'", 'backspace', "~'\\\\bfoo'"],
  ['f:~"\\\\‹\\b›foo"', 'backspace', 'f:~"\\\\\\\\bfoo"'],
  ['{app=~"‹\\b›x"}', 'backspace', '{app=~"\\\\bx"}'],
  ['pattern_match("C:‹\\b›in <N>")', 'backspace', 'pattern_match("C:\\\\bin <N>")'],
  ['pattern_match_full("‹\\b›<N>")', 'backspace', 'pattern_match_full("\\\\b<N>")'],
  ['* | extract_regexp "‹\\b›(?P<x>a)"', 'backspace', '* | extract_regexp "\\\\b(?P<x>a)"'],
  ['* | replace_regexp ("‹\\b›a", "b")', 'backspace', '* | replace_regexp ("\\\\ba", "b")'],
  ['‹日本語›', 'unspaced-word', '*日本語*'],
  ['level:error ‹"ログ 出力"›', 'unspaced-word', 'level:error *"ログ 出力"*'],
  ['not ‹ภาษา› | limit 5', 'unspaced-word', 'not *ภาษา* | limit 5'],
  ["it‹'›s down", 'needs-quotes', '"it\'s" down'],
  ['level:‹starts_with›("err")', 'unknown-filter'],
  ['level:‹vat›(amount, 0.1)', 'unknown-filter'],
  ['level:‹contians_any›(a, b)', 'unknown-filter', 'level:contains_any(a, b)'],
  ['‹contians_any›(a, b) error', 'unknown-filter', 'contains_any(a, b) error'],
  ['-‹patern_match›("<N>")', 'unknown-filter', '-pattern_match("<N>")'],
  ['foo‹(›bar)', 'touching-filters', 'foo (bar)'],
  ['"a"‹"b"›', 'touching-filters', '"a" "b"'],
  ['path:‹a:b:c›', 'colons-in-value', 'path:"a:b:c"'],
  ['url:‹http://x.y/z?a=b&c=d› error', 'colons-in-value', 'url:"http://x.y/z?a=b&c=d" error'],
  ['level:error‹,›warn', 'comma-in-filter', 'level:in(error, warn)'],
  ['level:error‹,› level:warn', 'comma-in-filter'],
  ['‹AND› error', 'misplaced-operator', ' error'],
  ['error ‹OR›', 'misplaced-operator', 'error '],
  ['error AND ‹AND› x', 'misplaced-operator', 'error AND  x'],
  ['(error ‹or›)', 'misplaced-operator', '(error )'],
  ['level ‹==› error', 'double-equals', 'level = error'],
  ['level ‹in› (error, warn)', 'in-without-colon', 'level:in (error, warn)'],
  ['status:‹[500 TO 599]›', 'bracket-range', 'status:range[500, 599]'],
  ['level:error ‹&&› timeout', 'foreign-operator', 'level:error and timeout'],
  ['level:error ‹||› timeout', 'foreign-operator', 'level:error or timeout'],
  ['error‹&&›timeout', 'foreign-operator', 'error and timeout'],
  ['(error)‹&&›!timeout', 'foreign-operator', '(error) and !timeout'],
  ['error‹||›timeout', 'foreign-operator', 'error or timeout'],
  ['‹()›', 'empty-group', '*'],
  ['level:‹()›', 'empty-group', 'level:*'],
  ['‹›', 'empty-query', '*'],
  ['‹› # nothing but a comment', 'empty-query', '* # nothing but a comment'],
  ['error‹;›', 'trailing-semicolon', 'error'],
  ['error ‹|›', 'trailing-pipe', 'error '],
  ['error ‹|› | limit 5', 'trailing-pipe', 'error  | limit 5'],
  ['error !‹›', 'expected-filter'],
  ['‹"abc›', 'unclosed-quote', '"abc"'],
  ['level:‹(›error or warn', 'unclosed', 'level:(error or warn)'],
  ['‹{›app="x"', 'unclosed', '{app="x"}'],
  ['"a‹\\q›"', 'bad-escape'],
  ['error ‹)›', 'unexpected'],
  ['f:>=‹›', 'unexpected-end'],
  ['_time:‹›', 'unexpected-end'],
  ['_time:‹|› fields a', 'unexpected'],
  ['* | ‹limt› 10', 'unknown-pipe', '* | limit 10'],
  ['* | ‹level›:error', 'bare-filter-stage', '* | filter level:error'],
  ['* | (‹limit› 10)', 'pipe-in-parentheses'],
  ['* | limit 5 | ‹stream_context after 1›', 'misplaced-pipe', '* | stream_context after 1 | limit 5'],
  [
    'a | filter b | sort by (c)  | limit 5 | ‹stream_context before 1› | fields d',
    'misplaced-pipe',
    'a | filter b | stream_context before 1 | sort by (c)  | limit 5 | fields d',
  ],
  ['* | ‹count› by (level)', 'function-as-pipe'],
  ['* | ‹limit›', 'missing-number', '* | limit 10'],
  ['* | ‹offset› | limit 5', 'missing-number'],
  ['* | split ‹as› x', 'missing-text'],
  ['* | split ‹FROM› x as y', 'missing-text'],
  ['* | format ‹as› x', 'missing-text'],
  ['* | format if (a:1) ‹as› x', 'missing-text'],
  ['* | extract ‹from› x', 'missing-text'],
  ['* | extract_regexp ‹from› x', 'missing-text'],
  ['* | ‹sort›', 'missing-keys'],
  ['* | sort ‹_time desc›', 'missing-parentheses', '* | sort (_time desc)'],
  ['* | uniq by ‹hits›', 'missing-parentheses', '* | uniq by (hits)'],
  ['* | uniq ‹limit› 5', 'missing-parentheses'],
  ['* | top 3 ‹rank›', 'missing-parentheses', '* | top 3 (rank)'],
  ['* | stats json_values(a) sort by ‹a›', 'missing-parentheses', '* | stats json_values(a) sort by (a)'],
  ['* | stats count() ‹by (level)›', 'by-after-functions', '* | stats by (level) count()'],
  ['* | stats count() ‹by level›', 'by-after-functions', '* | stats by level count()'],
  ['* | stats count() as x ‹by a, b›, sum(c)', 'by-after-functions', '* | stats by a, b count() as x, sum(c)'],
  ['* | top (a) hits b ‹hits› c', 'repeated-clause'],
  ['* | format ‹"a <b*>"›', 'wildcard-in-format'],
  ['(a:1)‹b›:2', 'touching-filters', '(a:1) b:2'],
  ['a:in(1)‹b›', 'touching-filters', 'a:in(1) b'],
  ['a:1‹(›b)', 'touching-filters', 'a:1 (b)'],
  ['* | fields a ‹b›', 'missing-comma', '* | fields a, b'],
  ['* | limit ‹-1›', 'bad-number'],
  ['* | limit ‹1.5›', 'bad-number'],
  ['* | limit ‹9223372036854775808›', 'bad-number'],
  ['* | stats ‹cout›() as n', 'unknown-function', '* | stats count() as n'],
  ['* | stats ‹count›', 'call-without-parentheses', '* | stats count()'],
  ['* | stats ‹sum› bytes', 'call-without-parentheses', '* | stats sum(bytes)'],
  ['* | stats ‹any()› as x', 'wrong-argument-count'],
  ['* | stats quantile(‹x›, y) as q', 'wrong-argument'],
  ['* | stats count(), ‹count()›', 'duplicate-result', '* | stats count(), count() as count_2'],
  ['* | math b + 1 as a, ‹a›', 'duplicate-result', '* | math b + 1 as a, a as a_2'],
  ['* | stats by (n) count() as ‹n›', 'duplicate-result', '* | stats by (n) count() as n_2'],
  ['* | stats by (_time:‹5q›) count()', 'bad-bucket'],
  ['* | stats by (‹a*›) count()', 'field-wildcard'],
  ['* | sort by (a) ‹partition by (b)›', 'missing-clause'],
  ['* | sort by (a) limit 1 ‹limit 2›', 'repeated-clause'],
  ['* | sort by (a) partition by (b) limit 1 ‹with ties›', 'clashing-clauses'],
  ['* | math ‹sqrt›(a) as b', 'unknown-math'],
  ['* | time_add ‹soon›', 'bad-duration'],
  ['* | extract ‹"no placeholder"›', 'bad-pattern'],
  ['_time:‹5x›', 'bad-time'],
  ['_time!=‹noon›', 'bad-time'],
  ['_time:day_range[‹8:00›, 18:00)', 'bad-clock'],
  ['_time:week_range[‹mom›, Fri]', 'bad-weekday', '_time:week_range[mon, Fri]'],
  ['_time:day_range[08:00, 18:00) zone ‹"Nowhere/Town"›', 'bad-zone'],
  ['content:~‹"a("›', 'bad-regexp'],
  ['ip:ipv4_range(‹300.1.1.1›)', 'bad-address'],
  ['x:in(‹* | limit 5›)', 'subquery-fields'],
  ['options(‹tine_offset›=1h) *', 'unknown-option', 'options(time_offset=1h) *'],
  ['options(time_offset=‹soon›) *', 'bad-option'],
  ['* | union (from logs options(‹domain=spans›) *)', 'second-table'],
  ['error ‹limit 10›', 'missing-bar', 'error | limit 10'],
  ['‹trace_id IS NOT NULL›', 'null-test', 'trace_id:*'],
  ['a or ‹level is null›', 'null-test', 'a or level:""'],
  ['x:i(‹a*b›)', 'unsupported-wildcard'],
  ['x:-‹›', 'unexpected-end'],
]

const logsql: readonly Marked[] = [
  ['level‹=›error', 'equals-without-colon', 'level:=error'],
  ['duration‹>›5', 'equals-without-colon', 'duration:>5'],
  ['‹|› limit 5', 'leading-pipe', '* | limit 5'],
  ['f:‹*x›', 'unsupported-wildcard', 'f:~"x$"'],
  ['f:‹a*b.c›', 'unsupported-wildcard', 'f:~"^a.*b\\\\.c$"'],
  ['‹*a*b*›', 'unsupported-wildcard', '~"a.*b"'],
  ['_stream:‹foo›', 'stream-braces'],
  ['_stream:‹app›="x" error', 'stream-braces', '_stream:{app="x"} error'],
  ['_stream:‹(›app="x", b!~"y.*") error', 'stream-braces', '_stream:{app="x", b!~"y.*"} error'],
  ['content:~"‹\\b›x"', 'backspace', 'content:~"\\\\bx"'],
  ['‹a*b›:x', 'inner-wildcard'],
  ['a ‹/› b', 'lone-character', 'a "/" b'],
  ['‹in›', 'call-without-parentheses'],
  ['* | ‹patterns› 5', 'unknown-pipe'],
  ['‹options›', 'options-as-word', '"options"'],
  ['‹options› or a', 'options-as-word', '"options" or a'],
  ['a:in(‹options›:x | fields b)', 'options-as-word', 'a:in("options":x | fields b)'],
  ['* | format ‹"<x*>"› as y', 'wildcard-in-format'],
]

function unmarked(marked: string): { readonly query: string; readonly start: number; readonly end: number } {
  const start = marked.indexOf('‹')
  const end = marked.indexOf('›') - 1
  return { query: marked.replace('‹', '').replace('›', ''), start, end }
}

function check([marked, code, fixed]: Marked, options: ParseOptions): void {
  const { query, start, end } = unmarked(marked)
  const { diagnostics } = parse(query, options)
  const [first] = diagnostics
  expect(first?.code).toBe(`log/${code}`)
  expect(first?.message).toMatch(/[.!]$/)
  expect(spanOf(present(first?.origin))).toEqual({ start, end })
  if (fixed === undefined) return
  const repaired = applyFix(query, present(first?.fixes[0]))
  expect(repaired).toBe(fixed)
  expect(parse(repaired, options).diagnostics.map((diagnostic) => diagnostic.code)).not.toContain(`log/${code}`)
}

describe('diagnostics', () => {
  test.each(native.map((marked) => [marked[0], marked] as const))('native: %s', (_, marked) => {
    check(marked, { dialect: 'native' })
  })
  test.each(logsql.map((marked) => [marked[0], marked] as const))('logsql: %s', (_, marked) => {
    check(marked, { dialect: 'logsql' })
  })

  test.each([
    ['_time:06:15', '`06:15` is a time of day without its date.', '`2026-01-31T06:15`'],
    ['_time:[6:15, 06:30)', '`6:15` is a time of day without its date.', '`2026-01-31T06:15`'],
    ['_time:>=06:15:30', '`06:15:30` is a time of day without its date.', '_time:day_range['],
    ['_time:>yesterday', '`yesterday` is a day without its date.', '--since yesterday'],
    ['_time:soon', '`soon` is not a time.', '`now-5m`'],
  ])('%s says what to write', (query, message, why) => {
    const [first] = parse(query).diagnostics
    expect(first?.message).toBe(message)
    expect(first?.notes.join()).toContain(why)
    expect(parse(query, { dialect: 'logsql' }).diagnostics[0]?.message).toBe(message)
  })

  test('each limit has its own code', () => {
    const code = (query: string, limits: ParseOptions['limits']): string | undefined =>
      parse(query, { limits }).diagnostics[0]?.code
    expect(code('abcdef', { textBytes: 5 })).toBe('log/text-too-long')
    expect(code('äöü', { textBytes: 5 })).toBe('log/text-too-long')
    expect(code('äö', { textBytes: 5 })).toBeUndefined()
    expect(code('((a))', { depth: 1 })).toBe('log/too-deep')
    expect(code('a b c', { terms: 2 })).toBe('log/too-many-terms')
    expect(code('* | limit 1 | limit 2', { pipes: 1 })).toBe('log/too-many-pipes')
    expect(code('* | fields a, b, c', { fields: 2 })).toBe('log/too-many-fields')
    expect(code('x:~"aaaa"', { patternLength: 3 })).toBe('log/pattern-too-long')
    expect(parse('* | b | c | d', { limits: { errors: 2 } }).diagnostics.at(-1)?.code).toBe('log/too-many-errors')
  })

  test('exactly at the default limits a query is read', () => {
    expect(parse('('.repeat(128) + 'a' + ')'.repeat(128)).diagnostics).toEqual([])
    expect(parse('('.repeat(129) + 'a' + ')'.repeat(129)).diagnostics[0]?.code).toBe('log/too-deep')
    expect(parse('a '.repeat(4096)).diagnostics).toEqual([])
    expect(parse('a '.repeat(4097)).diagnostics[0]?.code).toBe('log/too-many-terms')
    expect(parse(`*${' | limit 1'.repeat(64)}`).diagnostics).toEqual([])
    expect(parse(`*${' | limit 1'.repeat(65)}`).diagnostics[0]?.code).toBe('log/too-many-pipes')
    expect(parse(`* | fields ${Array.from({ length: 1024 }, (_, i) => `f${i}`).join()}`).diagnostics).toEqual([])
    expect(parse(`* | fields ${Array.from({ length: 1025 }, (_, i) => `f${i}`).join()}`).diagnostics[0]?.code).toBe(
      'log/too-many-fields',
    )
    expect(parse(`x:~"${'a'.repeat(1024)}"`).diagnostics).toEqual([])
    expect(parse(`x:~"${'a'.repeat(1025)}"`).diagnostics[0]?.code).toBe('log/pattern-too-long')
  })

  test('one run tells the errors of several stages and keeps the stages that are right', () => {
    const { ast, diagnostics } = parse('level:error@x | limt 5 | fields a b | limit 10 | sort')
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'log/needs-quotes',
      'log/unknown-pipe',
      'log/missing-comma',
      'log/missing-keys',
    ])
    expect(ast.isIncomplete).toBe(true)
    expect(ast.pipes.map(({ kind }) => kind)).toEqual(['broken', 'broken', 'limit', 'broken'])
  })

  test('an error inside a subquery does not hide the stages after it', () => {
    const { diagnostics } = parse('x:in(a b@c | fields y) | limit | union (z | limt 3) | sort')
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'log/needs-quotes',
      'log/missing-number',
      'log/unknown-pipe',
      'log/missing-keys',
    ])
  })

  test('the same fault twice is reported alike, each at its own place', () => {
    const [first, second] = parse('* | math * | math *').diagnostics
    expect([first?.message, second?.message]).toEqual(
      Array(2).fill(expect.stringMatching(/^`\*` does not belong here/)),
    )
    expect(second?.message).toBe(first?.message)
    expect([first, second].map((each) => spanOf(present(each).origin))).toEqual([
      { start: 9, end: 10 },
      { start: 18, end: 19 },
    ])
  })

  test('further stats functions may be named by the caller', () => {
    expect(parse('* | stats percentile_of(x) as p').diagnostics[0]?.code).toBe('log/unknown-function')
    expect(parse('* | stats percentile_of(x) as p', { functionNames: ['percentile_of'] }).diagnostics).toEqual([])
  })

  test('every code is held by a test', () => {
    const tested = new Set([...native, ...logsql].map(([, code]) => code))
    // Tested elsewhere: errors of user definitions in test/engine/extend.test.ts.
    for (const code of ['unknown-argument', 'missing-argument', 'bad-definition', 'pipe-failed']) tested.add(code)
    // Tested elsewhere: parameter values in test/engine/parameters.test.ts.
    for (const code of ['missing', 'unused', 'bad']) tested.add(`${code}-parameter`)
    tested.add('parameter-as-name')
    // Tested elsewhere: queries in other languages in test/lang/log/habits.
    tested.add('foreign-form').add('missing-pipe')
    const limits = ['text-too-long', 'too-deep', 'too-many-terms', 'too-many-pipes', 'too-many-fields']
    for (const code of [...limits, 'pattern-too-long', 'too-many-errors']) tested.add(code)
    expect(logDiagnostic.codes.filter((code) => !tested.has(code))).toEqual([])
  })
})
