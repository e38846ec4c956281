import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileTemplate } from '../../../src/functions/logql/templates.ts'
import { stageFunctions } from '../../../src/functions/logql/index.ts'
import { parseTemplate } from '../../../src/lang/logql/templates.ts'

const labels = new Map([
  ['app', 'shop'],
  ['city', 'Grüße aus Zürich'],
  ['id', 'pay_3911'],
  ['json', '{"a":{"b":[1,2.5,"x",null]},"n":null}'],
  ['took', '12.9'],
])

const NS = 1_772_445_656_284_452_640n

/** Returns the output of a template, or its error. The parsed template passes through JSON, as in a plan. */
function run(text: string, name: 'line' | 'label' = 'line'): string {
  const reading = parseTemplate(text, name)
  if ('error' in reading) return reading.error
  const template = JSON.parse(JSON.stringify(reading.template)) as typeof reading.template
  const result = compileTemplate(
    template,
    name,
  )({
    label: (label) => labels.get(label),
    labels: () => labels,
    line: () => 'the line\nends',
    timestampNs: () => NS,
    nowNs: () => NS + 1_000_000_000n,
  })
  return 'text' in result ? result.text : result.error
}

describe('data', () => {
  test.each([
    ['{{.app}}/{{.nope}}', 'shop/'],
    ['{{ __line__ | len }}', '13'],
    ['{{ __timestamp__ }}', '2026-03-02 10:00:56.28445264 +0000 UTC'],
    ['{{ $.app }} {{ with .app }}{{ . }}{{ end }}', 'shop shop'],
    ['{{ range $k, $v := . }}{{ $k }} {{ end }}', 'app city id json took '],
    ['{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .app }}', '<shop>'],
    ['{{ if not .nope }}none{{ else }}some{{ end }}', 'none'],
    ['{{- "a" -}}  b', 'ab'],
  ])('%s', (text, wanted) => {
    expect(run(text)).toBe(wanted)
  })
})

describe('texts', () => {
  test.each([
    ['{{ trunc 4 .city }}|{{ trunc -3 .id }}|{{ trunc 99 .id }}', 'Grü|911|pay_3911'],
    ['{{ substr 0 3 .id }}|{{ substr 4 -1 .id }}|{{ substr -1 3 .id }}', 'pay|3911|pay'],
    ['{{ substr 0 3 .city }}', 'Gr\ufffd'],
    ['{{ alignLeft 4 .city }}|{{ alignRight 4 .city }}|{{ alignRight 6 .app }}', 'Grüß|rich|  shop'],
    ['{{ title "hello wörld-of o\'neil" }}', "Hello Wörld-Of O'Neil"],
    ['{{ upper "straße" }}|{{ lower "İ" }}|{{ ToUpper "a" }}', 'STRAßE|i|A'],
    ['{{ trim "\\u00a0 x\\t" }}|{{ trimAll "$" "$5$" }}|{{ Trim "xxaxx" "x" }}|{{ TrimLeft "xa" "x" }}', 'x|5|a|a'],
    ['{{ trimPrefix "a" "aab" }}|{{ trimSuffix "" "ab" }}|{{ TrimSuffix "abb" "b" }}', 'ab|ab|ab'],
    ['{{ replace "a" "b" "aXa" }}|{{ Replace "aXa" "a" "b" 1 }}|{{ replace "" "-" "ab" }}', 'bXb|bXa|-a-b-'],
    ['{{ Replace "ab" "" "-" 2 }}|{{ Replace "ab" "a" "" 0 }}', '-a-b|ab'],
    ['{{ indent 2 "a\\nb" }}|{{ nindent 1 "a" }}', '  a\n  b|\n a'],
    ['{{ repeat 3 "ab" }}|{{ "x" | repeat 0 }}', 'ababab|'],
    ['{{ contains "pay" .id }} {{ hasPrefix "x" .id }} {{ hasSuffix "11" .id }}', 'true false true'],
    ['{{ default "d" .nope }} {{ .app | default "d" }} {{ default 7 0 }}', 'd shop 7'],
    ['{{ count "[aeiou]" "banana tree" }} {{ count "x*" "axb" }}', '5 3'],
    ['{{ regexReplaceAll "(a)(b)?" "ab a" "<$1$2>" }}', '<ab> <a>'],
    ['{{ regexReplaceAllLiteral "a" "ba" "$1" }}', 'b$1'],
  ])('%s', (text, wanted) => {
    expect(run(text)).toBe(wanted)
  })
})

describe('coding', () => {
  test.each([
    ['{{ b64enc "é" }} {{ b64dec "w6k=" }} {{ b64enc "ab" | b64dec }}', 'w6k= é ab'],
    ['{{ b64dec "!!" }}', 'illegal base64 data at input byte 0'],
    ['{{ b64dec "YWJ" }}', 'illegal base64 data at input byte 3'],
    ['{{ urlencode "a b/ü" }} {{ urldecode "a%20b+%C3%BC" }}', 'a+b%2F%C3%BC a b ü'],
    ['{{ fromJson .json }}', 'map[a:map[b:[1 2.5 x <nil>]] n:<nil>]'],
    ['{{ (fromJson .json).a.b }} {{ index (fromJson .json) "a" "b" 2 }}', '[1 2.5 x <nil>] x'],
    ['{{ fromJson "bad" }}|{{ (fromJson .json).nope }}', '<no value>|<no value>'],
    ['{{ range $i, $e := fromJson "[1,2]" }}{{ if $i }},{{ end }}{{ $e }}{{ end }}', '1,2'],
  ])('%s', (text, wanted) => {
    expect(run(text)).toBe(wanted)
  })
})

describe('numbers', () => {
  test.each([
    ['{{ int .took }} {{ int "x" }} {{ int "0x1F" }} {{ int 2.9 }} {{ int true }} {{ int "-3.5" }}', '12 0 31 2 1 -3'],
    ['{{ add 1 2 3 }} {{ add }} {{ sub 1 "3" }} {{ mul 2 3 4 }} {{ div 7 2 }} {{ mod -7 3 }}', '6 0 -2 24 3 -1'],
    ['{{ max 1 3 2 }} {{ min 1 3 2 }} {{ maxf 1.5 2 }} {{ minf 1 "0.5" }}', '3 1 2 0.5'],
    [
      '{{ addf 0.1 0.2 }} {{ subf 1 0.9 }} {{ mulf 1.1 1.1 }} {{ divf 10 4 2 }} {{ divf 1 3 }}',
      '0.3 0.1 1.21 1.25 0.3333333333333333',
    ],
    ['{{ mulf 1e10 1e10 }} {{ mulf 1.5 1048576 }}', '1e+20 1.572864e+06'],
    ['{{ ceil 1.2 }} {{ floor -1.2 }} {{ round 2.5 0 }} {{ round -2.5 0 }} {{ round .took 1 }}', '2 -2 3 -3 12.9'],
    ['{{ round 1.2345 2 }} {{ round 2.5 0 1 }}', '1.23 2'],
    ['{{ float64 "1e3" }} {{ float64 "x" }}', '1000 0'],
    ['{{ bytes "1.5 KiB" }} {{ duration "1h30m" }} {{ duration_seconds "20ms" }}', '1536 5400 0.02'],
    ['{{ printf "%T %T %T" (int 1) (add 1 1) (addf 1) }}', 'int int64 float64'],
    ['{{ eq (add 1 1) 2 }} {{ lt (int .took) 13 }} {{ if sub 1 1 }}yes{{ else }}zero{{ end }}', 'true true zero'],
  ])('%s', (text, wanted) => {
    expect(run(text)).toBe(wanted)
  })
})

describe('times', () => {
  test.each([
    ['{{ now | unixEpoch }} {{ date "15:04:05.000" now }}', '1772445657 10:00:57.284'],
    ['{{ __timestamp__ | unixEpochMillis }} {{ unixEpochNanos __timestamp__ }}', `1772445656284 ${NS}`],
    ['{{ __timestamp__.Unix }} {{ __timestamp__.Format "Jan _2 3PM" }}', '1772445656 Mar  2 10AM'],
    ['{{ date "2006-01-02" 86400 }}', '1970-01-02'],
    [
      '{{ unixToTime "20500" }} | {{ unixToTime "1772442000123" | date "05.000" }}',
      '2026-02-16 00:00:00 +0000 UTC | 00.123',
    ],
    ['{{ toDate "2006-01-02T15:04:05.000Z" "2026-03-02T10:00:56.284Z" | unixEpochMillis }}', '1772445656284'],
    ['{{ toDate "Jan 2 2006 3:04pm" "Mar 2 2026 1:05pm" }}', '2026-03-02 13:05:00 +0000 UTC'],
    ['{{ toDate "2006-01-02T15:04:05Z07:00" "2026-03-02T10:00:56.5+02:00" | unixEpoch }}', '1772438456'],
    ['{{ toDate "2006-002" "2024-366" | date "Jan 2" }}', 'Dec 31'],
    ['{{ toDate "2006-01-02" "yesterday" }}', '0001-01-01 00:00:00 +0000 UTC'],
    ['{{ toDate "2006-01-02" "2026-02-30" | date "2006" }}', '0001'],
    ['{{ toDateInZone "2006-01-02 15:04" "Europe/Zurich" "2026-07-02 15:00" | unixEpoch }}', '1782997200'],
    ['{{ toDateInZone "2006-01-02" "No/Where" "2026-03-02" | unixEpoch }}', '1772409600'],
  ])('%s', (text, wanted) => {
    expect(run(text)).toBe(wanted)
  })
})

describe('errors', () => {
  test.each([
    [
      '{{ div 1 0 }}',
      'template: line:1:3: executing "line" at <div 1 0>: error calling div: runtime error: integer divide by zero',
    ],
    [
      'a\nü{{ int .app | div 1 }}',
      'template: line:2:16: executing "line" at <div 1>: error calling div: runtime error: integer divide by zero',
    ],
    ['{{ divf 1 0 }}', 'template: line:1:3: executing "line" at <divf 1 0>: error calling divf: decimal division by 0'],
    ['{{.app.b}}', `template: line:1:6: executing "line" at <.app.b>: can't evaluate field b in type string`],
    ['{{ trunc }}', 'template: line:1:3: executing "line" at <trunc>: wrong number of args for trunc: want 2 got 0'],
    ['{{ trunc "x" .id }}', 'template: line:1:9: executing "line" at <"x">: expected integer; found "x"'],
    ['{{ lower 5 }}', 'template: line:1:9: executing "line" at <5>: expected string; found 5'],
    [
      '{{ lower (len .id) }}',
      'template: line:1:9: executing "line" at <(len .id)>: wrong type for value; expected string; got int',
    ],
    [
      '{{ trunc (add 1 2) .id }}',
      'template: line:1:9: executing "line" at <(add 1 2)>: wrong type for value; expected int; got int64',
    ],
    [
      '{{ duration "x" }}',
      'template: line:1:3: executing "line" at <duration "x">: error calling duration: time: invalid duration "x"',
    ],
    [
      '{{ index (fromJson "null") 0 }}',
      'template: line:1:3: executing "line" at <index (fromJson "null") 0>: error calling index: index of untyped nil',
    ],
    [
      '{{ lower now }}',
      'template: line:1:9: executing "line" at <now>: wrong type for value; expected string; got time.Time',
    ],
    [
      '{{ define "t" }}{{ div 1 0 }}{{ end }}{{ template "t" . }}',
      'template: line:1:19: executing "t" at <div 1 0>: error calling div: runtime error: integer divide by zero',
    ],
    [
      '{{ lt "a" 1 }}',
      'template: line:1:3: executing "line" at <lt "a" 1>: error calling lt: incompatible types for comparison',
    ],
    [
      '{{ urldecode "%zz" }}',
      'template: line:1:3: executing "line" at <urldecode "%zz">: error calling urldecode: invalid URL escape "%zz"',
    ],
    [
      '{{ repeat -1 "a" }}',
      'template: line:1:3: executing "line" at <repeat -1 "a">: error calling repeat: strings: negative Repeat count',
    ],
  ])('of running %s', (text, wanted) => {
    expect(run(text)).toBe(wanted)
  })

  test.each([
    ['{{ nope }}', 'template: line:1: function "nope" not defined'],
    ['{{ env "HOME" }}', 'template: line:1: function "env" not defined'],
    ['{{ if }}', 'template: line:1: missing value for if'],
    ['{{ }}', 'template: line:1: missing value for command'],
    ['\n{{ if .x }}', 'template: line:2: unexpected EOF'],
    ['{{ .x', 'template: line:1: unclosed action'],
    ['{{/* x', 'template: line:1: unclosed comment'],
    ['{{ end }}', 'template: line:1: unexpected {{end}}'],
    ['{{ $y }}', 'template: line:1: undefined variable "$y"'],
    ['{{ .a-b }}', "template: line:1: bad character U+002D '-'"],
    ['{{ break }}', 'template: line:1: {{break}} outside {{range}}'],
    ['{{ "a }}', 'template: line:1: unterminated quoted string'],
    ['{{ 1.2.3 }}', 'template: line:1: bad number syntax: "1.2.3"'],
    ['{{ , }}', 'template: line:1: unexpected "," in command'],
    ['{{ .x ) }}', 'template: line:1: unexpected right paren'],
  ])('of reading %s', (text, wanted) => {
    expect(run(text)).toBe(wanted)
  })

  test('name the stage of a label', () => {
    expect(run('{{ div 1 0 }}', 'label')).toMatch(/^template: label:1:3: executing "label" at /)
  })

  test.each([
    [
      'output',
      `{{ range $i, $x := fromJson "[${Array.from({ length: 1000 }, () => 1).join(',')}]" }}{{ repeat 2000 "x" }}{{ end }}`,
    ],
    ['one text', '{{ repeat 1100000 "x" }}'],
    ['a count', '{{ repeat 9000000000 "x" }}'],
    ['steps', '{{ range 100000000 }}{{ end }}'],
    ['calls', '{{ define "t" }}{{ template "t" . }}{{ end }}{{ template "t" . }}'],
  ])('of limits end a template: %s', (_, text) => {
    expect(run(text)).toMatch(/^template: line.* more than \d+ /)
  })
})

test('there are no functions that read the server or the chance', () => {
  for (const name of ['env', 'expandenv', 'getHostByName', 'randAlpha', 'uuidv4', 'readFile', 'query']) {
    expect(stageFunctions.has(name)).toBe(false)
  }
})

const PARTS = [
  '{{',
  '}}',
  '{{-',
  '-}}',
  'if',
  'range',
  'end',
  'else',
  '.app',
  '.a.b',
  '$x',
  ':=',
  '|',
  '(',
  ')',
  '"x"',
  '-1',
  '7.5',
  'nil',
  'x',
]

test('any template is refused, fails or gives a text', () => {
  const words = fc.constantFrom(...PARTS, ...stageFunctions.keys())
  const texts = fc.oneof(
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
    fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => `{{ ${parts.join(' ')} }}`),
    fc
      .tuple(
        fc.constantFrom(...stageFunctions.keys()),
        fc.array(fc.constantFrom('.city', '-3', '2.5', '"0x1F"', '(fromJson .json)', 'now', 'true'), { maxLength: 4 }),
      )
      .map(([name, args]) => `{{ ${[name, ...args].join(' ')} }}`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(run(text).isWellFormed()).toBe(true)
    }),
    { numRuns: 3000 },
  )
})
