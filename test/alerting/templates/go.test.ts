import { describe, expect, test } from 'vitest'
import { GoParser } from '../../../src/lang/go-template/parser.ts'
import {
  Template,
  TemplateError,
  type TemplateData,
  type TemplateQuery,
} from '../../../src/alerting/templates/index.ts'
import { Labels } from '../../../src/data/index.ts'

const data: TemplateData = {
  labels: Labels.of({ instance: 'web-1:9100', job: 'node', städte: 'Köln' }),
  value: 1.5,
  values: new Map([['errors', { value: 3, labels: Labels.of({ host: 'a' }), columns: new Map([['p99', 0.25]]) }]]),
  externalLabels: Labels.of({ cluster: 'c1' }),
  externalUrl: 'https://sluice.example.com/base',
  nowMs: 1_767_225_600_000,
}

const query: TemplateQuery = (text) => {
  if (text === 'none') return Promise.resolve([])
  if (text === 'broken') return Promise.reject(new Error('no such metric'))
  const sample = (h: string, value: number) => ({ labels: Labels.of({ __name__: 'x', h }), value })
  return Promise.resolve([sample('b', 2), sample('a', 1)])
}

async function expand(source: string): Promise<string> {
  return Template.parse(source).expand(data, query)
}

function refused(source: string): { readonly offset: number; readonly message: string } | undefined {
  try {
    Template.parse(source)
    return undefined
  } catch (error) {
    if (error instanceof TemplateError) return { offset: error.offset, message: error.message }
    throw error
  }
}

test('the grammar has no ambiguity', () => {
  expect(() => new GoParser(true)).not.toThrow()
})

describe('expansion', () => {
  test.each([
    // Literal text, comments and trim markers.
    ['a {b} }} c', 'a {b} }} c'],
    ['x {{- /* note */ -}} y', 'xy'],
    ['a\n{{- 1 -}}\n b', 'a1b'],
    ['{{-3}}', '-3'],
    // Labels, values and external data.
    ['{{ $labels.städte }} {{ .Labels.job }} {{ labels.job }} {{ $labels.none }}|', 'Köln node node |'],
    [
      '{{ $values.errors.Value }} {{ $values.errors.Labels.host }} {{ $values.errors.p99 }} {{ .Values.none }}',
      '3 a 0.25 <no value>',
    ],
    [
      '{{ $externalLabels.cluster }} {{ .ExternalURL }} {{ externalURL }} {{ pathPrefix }}',
      'c1 https://sluice.example.com/base https://sluice.example.com/base /base',
    ],
    // Literals.
    [
      '{{ 0x1F }} {{ 0b101 }} {{ 0o17 }} {{ 017 }} {{ 1_000 }} {{ .5 }} {{ 1e3 }} {{ 0x1p-2 }} {{ -4 }}',
      '31 5 15 15 1000 0.5 1000 0.25 -4',
    ],
    [`{{ 'a' }} {{ '\\n' }} {{ "\\u00e9\\x41\\101" }} {{ \`a\\n\` }}`, '97 10 éAA a\\n'],
    // Control structures.
    ['{{ if false }}a{{ else if 0 }}b{{ else if 1 }}c{{ else }}d{{ end }}', 'c'],
    ['{{ with "" }}a{{ else with "x" }}{{ . }}{{ else }}d{{ end }}', 'x'],
    ['{{ range 3 }}{{ . }}{{ end }} {{ range $i := 2 }}{{ $i }}{{ end }}', '012 01'],
    ['{{ range $i, $s := query "x" }}{{ $i }}{{ $s.Labels.h }}{{ end }}', '0b1a'],
    ['{{ range query "none" }}a{{ else }}none{{ end }}', 'none'],
    ['{{ range 9 }}{{ if eq . 1 }}{{ continue }}{{ end }}{{ if gt . 3 }}{{ break }}{{ end }}{{ . }}{{ end }}', '023'],
    ['{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ $x := 3 }}{{ end }}{{ $x }}', '2'],
    ['{{ define "t" }}[{{ . }}{{ $ }}]{{ end }}{{ template "t" 7 }}{{ template "t" }}', '[77][<no value><no value>]'],
    ['{{ block "b" $labels }}{{ .job }}{{ end }}', 'node'],
    // Pipelines and functions.
    ['{{ (index $labels "job") | printf "%s-%d" "a" }}', 'a-%!d(string=node)'],
    [
      '{{ ((args 1 "b").arg1) }} {{ (toTime 0).Format "Mon Jan _2 15:04:05.000 2006" }} {{ (toTime 90.5).Unix }}',
      'b Thu Jan  1 00:00:00.000 1970 90',
    ],
    ['{{ and 1 0 (index nil 1) }} {{ or "" "x" (index nil 1) }} {{ 0 | and 1 }} {{ not 0 }}', '0 x 0 true'],
    ['{{ eq "a" "b" "a" }} {{ ne 1.0 2.0 }} {{ le "a" "b" }} {{ eq nil nil }}', 'true true true true'],
    ['{{ len "é" }} {{ slice "abcdef" 1 3 }} {{ index "abc" 0 }} {{ slice "é" 0 2 }}', '2 bc 97 é'],
    ['{{ query "x" | sortByLabel "h" | first | label "h" }}{{ query "x" | first | value }}', 'a2'],
    ['{{ query "x" | first }} {{ print (query "x" | first) }}', '{map[__name__:x h:b] 2} &{map[__name__:x h:b] 2}'],
    // Prometheus splits words by Unicode's rules; Go's own `title` function does not.
    ['{{ title "a_b a-b a\'b é.é web-1.example.com:9100" }}', "A_b A-B A'b É.é Web-1.Example.com:9100"],
    ['{{ title "hello wOrld_x é-y" }} {{ toUpper "straße" }}', 'Hello WOrld_x É-Y STRAßE'],
    [
      '{{ js "<a href=\'x\'>\\n" }} {{ urlquery "a b&c/é" }} {{ html "\\"&" 1 }}',
      "\\u003Ca href\\u003D\\'x\\'\\u003E\\u000A a+b%26c%2F%C3%A9 &#34;&amp;1",
    ],
    [
      '{{ now }} {{ toDuration 5400.5 }} {{ (toDuration 90).Minutes }} {{ urlQueryEscape "a b" }}',
      '1.7672256e+09 1h30m0.5s 1.5 a+b',
    ],
    [
      '{{ reReplaceAll "(?P<k>\\\\w+)=(\\\\w+)" "$2:${k}$$" "a=b c=d" }} {{ match "^a.c$" "a\\nc" }}',
      'b:a$ d:c$ false',
    ],
    ['{{ println 1 "a" nil }}', '1 a <nil>\n'],
    ['{{ graphLink "sum(up) > 1" }}', '/graph?g0.expr=sum%28up%29+%3E+1&g0.tab=0'],
  ])('%s', async (source, expanded) => {
    expect(await expand(source)).toBe(expanded)
  })
})

describe('faults when read', () => {
  test.each([
    ['{{', 2],
    ['{{ if 1 }}', 10],
    ['a {{ end }}', 2],
    ['{{ else }}', 0],
    ['{{ $x }}', 3],
    ['{{ break }}', 0],
    ['{{ define "a" }}{{ $labels }}{{ end }}', 19],
    ['{{ if 1 }}{{ define "a" }}{{ end }}{{ end }}', 10],
    ['{{ "a" | 1 }}', 9],
    ['{{ 1.2.3 }}', 3],
    ['{{ 3i }}', 3],
    ['{{ "a""b" }}', 6],
    ['{{ "\\q" }}', 3],
    [`{{ 'ab' }}`, 3],
    ['{{ $x, $y := 1 }}', 3],
    ['{{ template x }}', 12],
    ['{{ define "a" }}1{{ end }}{{ define "a" }}2{{ end }}', 26],
    ['{{ /* spaced comment */ }}', 3],
    ['{{ }}', 3],
    ['{{ (1 }}', 6],
    ['{{ nosuch }}', 3],
    ['{{ $value=1 }}', 3],
    ['a {{/* b', 2],
    ['{{ "a }}', 3],
  ])('%s is refused at %i', (source, offset) => {
    expect(refused(source)?.offset).toBe(offset)
  })

  test.each([
    ['{{ $value=1 }}', 'A space must follow `$value`.'],
    ['a {{/* b', 'The comment is not closed.'],
    ['{{ "a }}', 'The string is not closed.'],
    ['{{ if 1 }}', 'The template ends too early.'],
    [`{{ ${'9'.repeat(1000)} }}`, `\`${'9'.repeat(40)}…\` does not fit 64 bits.`],
  ])('%s has a message of its own', (source, message) => {
    expect(refused(source)?.message).toContain(message)
  })

  test('the message says what to do', () => {
    expect(refused('{{ humanise 1 }}')?.message).toBe('There is no function named `humanise`. Did you mean `humanize`?')
  })
})

describe('faults when run', () => {
  test.each([
    [
      '{{ gt $value 1 }}',
      '1:4: incompatible types for comparison: float64 and int; write the number with a point, such as 1.0',
    ],
    ['a\n{{ query "none" | first }}', '2:19: first of an empty list; check with `if` that the query found a series'],
    ['{{ query "broken" }}', '1:4: the query "broken" failed: no such metric'],
    ['{{ nil }}', '1:4: nil is not a command'],
    ['{{ .Nope }}', '1:4: a value of type template.data has no field Nope'],
    ['{{ $labels.job.x }}', '1:4: a value of type string has no field x'],
    ['{{ toUpper 1 }}', '1:4: argument 1 of toUpper must be string, not int'],
    ['{{ len }}', '1:4: wrong number of args for len: want 1 got 0'],
    ['{{ 1 2 }}', '1:4: cannot give an argument to a value of type int'],
    ['{{ range 1.5 }}{{ end }}', '1:10: range cannot iterate over a value of type float64'],
    ['{{ template "t" }}', '1:1: there is no template named "t"'],
  ])('%s', async (source, message) => {
    expect(await expand(source)).toBe(`<error expanding template: ${message}>`)
  })
})

describe('limits', () => {
  test.each([
    ['endless recursion', '{{ define "t" }}{{ template "t" }}{{ end }}{{ template "t" }}', 'levels deep'],
    ['long loops', '{{ range 1000000000 }}{{ end }}', 'steps'],
    ['nested loops', '{{ range 999 }}{{ range 999 }}{{ end }}{{ end }}', 'steps'],
    ['huge widths', '{{ printf "%999999d" 1 }}', 'characters'],
    ['huge precisions', '{{ printf "%.*f" 999999 1.0 }}', 'characters'],
    ['long output', '{{ range 9000 }}{{ printf "%99d" . }}{{ end }}', 'characters'],
    ['many queries', '{{ range 11 }}{{ query (print "q" .) | len }}{{ end }}', 'queries'],
    [
      'slow patterns',
      '{{ $x := printf "%60000s" "a" }}{{ range 1000 }}{{ match "(.*a.*){9}b" $x }}{{ end }}',
      'too long',
    ],
  ])('%s end with the error text', async (_, source, reason) => {
    expect(await expand(source)).toMatch(new RegExp(`^<error expanding template: \\d+:\\d+: .*${reason}`))
  })

  test('deep nesting is refused', () => {
    expect(refused(`{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`)?.message).toContain('nest deeper')
    expect(refused('{{ if 1 }}'.repeat(5000))?.message).toContain('nest deeper')
  })

  test('a query with the same text runs once', async () => {
    let runs = 0
    const counted: TemplateQuery = async (text, nowMs) => {
      runs++
      return query(text, nowMs)
    }
    const text = '{{ query "x" | len }}{{ query "x" | len }}'
    expect(await Template.parse(text).expand(data, counted)).toBe('22')
    expect(runs).toBe(1)
  })
})
